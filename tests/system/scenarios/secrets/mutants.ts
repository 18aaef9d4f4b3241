import type { Mutant } from '../../harness/mutant.ts'

export const secretsMutants: Mutant[] = [
  {
    name: 'logs-headers',
    description: 'logs failed requests with their headers',
    edits: [
      {
        file: 'apps/api/app.ts',
        find: 'log.error({ err: error, requestId: request.id }',
        replace: 'log.error({ err: error, headers: request.headers, requestId: request.id }',
      },
    ],
  },
  {
    name: 'echoes-keys',
    description: 'echoes invalid input in errors, including keys',
    edits: [
      { file: 'apps/api/envelope.ts', find: 'message: redactSecrets(message)', replace: 'message: message.slice(0)' },
    ],
  },
  {
    name: 'stores-raw-urls',
    description: 'stores a key’s last request unredacted',
    edits: [{ file: 'apps/api/admission/usage-recorder.ts', find: 'redactSecrets(text).slice', replace: 'text.slice' }],
  },
  {
    name: 'keeps-queries',
    description: 'redacts only keys in stored requests, not values of parameters named like passwords',
    edits: [
      {
        file: 'packages/core/src/account/api-key.ts',
        find: 'SECRET_PARAM_NAME.test(name) ?',
        replace: 'name === undefined ?',
      },
    ],
  },
  {
    name: 'logs-config',
    description: 'logs the configuration at startup',
    edits: [
      {
        file: 'apps/api/main.ts',
        find: 'log.info(`serving ${api.baseUrl}`)',
        replace: "log.info({ ...config }, 'serving')",
      },
    ],
  },
  {
    name: 'echoes-env-values',
    description: 'echoes the value of an invalid environment variable',
    edits: [
      {
        file: 'packages/core/src/runtime/environment.ts',
        find: "'is required' : message",
        replace: "'is required' : `${message}, not ${env[String(name)]}`",
      },
    ],
  },
]
