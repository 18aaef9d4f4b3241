import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  route('sign-up', 'routes/sign-up.tsx'),
  route('sign-in', 'routes/sign-in.tsx'),
  route('sign-in/code', 'routes/sign-in-code.tsx'),
  route('sign-out', 'routes/sign-out.ts'),
  route('verify', 'routes/verify.tsx'),
  route('reset', 'routes/reset.tsx'),
  route('reset/new', 'routes/reset-new.tsx'),
  route('passkey/:step', 'routes/passkey.ts'),
  route('theme', 'routes/theme.ts'),
  // Only who is signed in gets below this line.
  layout('routes/signed-in.tsx', [
    index('routes/overview.tsx'),
    route('keys', 'routes/keys.tsx'),
    route('keys/:id', 'routes/key.tsx', [route('revoke', 'routes/key-revoke.tsx')]),
    route('keys/:id/replace', 'routes/key-replace.tsx'),
    route('usage', 'routes/usage.tsx'),
    route('usage.csv', 'routes/usage-csv.ts'),
    route('account', 'routes/account.tsx'),
    route('account/history', 'routes/account-history.tsx'),
    route('account/two-factor', 'routes/two-factor.tsx'),
    route('account/export.json', 'routes/account-export.ts'),
    route('account/delete', 'routes/account-delete.tsx'),
    // And only operators below this one; for everybody else there is nothing here.
    route('operator', 'routes/operator.tsx', [
      index('routes/operator-accounts.tsx'),
      route('accounts/:id', 'routes/operator-account.tsx'),
      route('data', 'routes/operator-data.tsx'),
      route('jobs', 'routes/operator-jobs.tsx'),
      route('quarantine', 'routes/operator-quarantine.tsx'),
    ]),
    route('collections', 'routes/collections.tsx'),
    route('collections/export.csv', 'routes/export.ts'),
    route('collections/:id/add', 'routes/lot-add.tsx'),
    route('collections/:id', 'routes/collection.tsx', [
      route('settings', 'routes/collection-settings.tsx'),
      route('delete', 'routes/collection-delete.tsx'),
      route('delete-lots', 'routes/lots-delete.tsx'),
    ]),
    route('import', 'routes/import.tsx'),
    route('import/:id', 'routes/import-draft.tsx'),
    route('imports', 'routes/imports.tsx', [route(':id/undo', 'routes/import-undo.tsx')]),
    route('imports/:id/left-out.csv', 'routes/import-left-out.ts'),
  ]),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
