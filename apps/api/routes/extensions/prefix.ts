export const EXTENSIONS_PREFIX = '/api/extensions/v1'
