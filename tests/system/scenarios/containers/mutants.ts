import type { Mutant } from '../../harness/mutant.ts'

const DOCKERFILE = 'deploy/container/Dockerfile'

export const containerMutants: Mutant[] = [
  {
    name: 'root',
    description: 'the image runs as root',
    edits: [{ file: DOCKERFILE, find: 'USER 10001:10001', replace: 'USER 0:0' }],
  },
  {
    name: 'shell',
    description: 'a shell as PID 1 swallows signals meant for node',
    edits: [
      {
        file: DOCKERFILE,
        find: 'ENTRYPOINT ["/usr/local/bin/node"]',
        replace: 'ENTRYPOINT ["/bin/sh", "-c", "/usr/local/bin/node \\"$@\\"; exit $?", "sh"]',
      },
    ],
  },
  {
    name: 'optional-packages',
    description: 'the image contains the demo’s PostgreSQL',
    edits: [
      {
        file: DOCKERFILE,
        find: 'npm ci --workspace apps/api --workspace apps/docs --workspace apps/worker --workspace apps/ops --omit=dev --omit=optional',
        replace:
          'npm ci --workspace apps/api --workspace apps/docs --workspace apps/worker --workspace apps/ops --omit=dev',
      },
    ],
  },
  {
    name: 'no-migrations',
    description: 'the image lacks the migrations',
    edits: [
      {
        file: DOCKERFILE,
        find: 'COPY packages/core/migrations packages/core/migrations\nCOPY packages/core/src packages/core/src\nCOPY apps/api',
        replace: 'COPY packages/core/src packages/core/src\nCOPY apps/api',
      },
    ],
  },
  {
    name: 'writable',
    description: 'compose.yaml leaves the root writable',
    edits: [{ file: 'deploy/compose.yaml', find: 'read_only: true', replace: 'read_only: false' }],
  },
  {
    name: 'capable-pod',
    description: 'a pod keeps its capabilities',
    edits: [
      { file: 'deploy/kubernetes/worker.yaml', find: 'capabilities: { drop: [ALL] }', replace: 'capabilities: {}' },
    ],
  },
  {
    name: 'no-password',
    description: 'database.sql sets a different password for the worker',
    edits: [
      {
        file: 'deploy/container/database.sql',
        find: 'alter role brickmark_worker password :',
        replace: "alter role brickmark_worker password :'api_password'; --",
      },
    ],
  },
]
