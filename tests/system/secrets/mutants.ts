import type { Mutant } from '../mutant.ts'

export const secretsMutants: Mutant[] = [
  {
    name: 'logs-headers',
    description: 'a request that fails is written to the log with its headers',
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
    description: 'an error quotes what it did not understand, a key as well',
    edits: [
      { file: 'apps/api/envelope.ts', find: 'message: redactSecrets(message)', replace: 'message: message.slice(0)' },
    ],
  },
  {
    name: 'stores-raw-urls',
    description: 'the last request of a key is kept as it came',
    edits: [{ file: 'apps/api/admission/usage-recorder.ts', find: 'redactSecrets(text).slice', replace: 'text.slice' }],
  },
  {
    name: 'keeps-queries',
    description: 'only keys are cut out of what is kept, not what stands under the name of a password',
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
    description: 'a process begins its log with its configuration',
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
    description: 'a variable that is not right is quoted',
    edits: [
      {
        file: 'packages/core/src/runtime/environment.ts',
        find: "'is missing' : message",
        replace: "'is missing' : `${message}, not ${env[String(name)]}`",
      },
    ],
  },
]
