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
  ]),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
