import type { Plant } from '../mutant.ts'

const DOCKERFILE = 'deploy/container/Dockerfile'

export const containerPlants: Plant[] = [
  {
    name: 'root',
    what: 'the image runs as root',
    edits: [{ file: DOCKERFILE, find: 'USER 10001:10001', replace: 'USER 0:0' }],
  },
  {
    name: 'shell',
    what: 'a shell stands between a signal and node',
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
    what: 'the PostgreSQL of the demo is in the image',
    edits: [
      {
        file: DOCKERFILE,
        find: 'npm ci --workspace apps/api --workspace apps/worker --workspace apps/ops --omit=dev --omit=optional',
        replace: 'npm ci --workspace apps/api --workspace apps/worker --workspace apps/ops --omit=dev',
      },
    ],
  },
  {
    name: 'no-migrations',
    what: 'the image lacks the migrations',
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
    what: 'compose.yaml leaves the root writable',
    edits: [{ file: 'deploy/compose.yaml', find: 'read_only: true', replace: 'read_only: false' }],
  },
  {
    name: 'capable-pod',
    what: 'a pod keeps its capabilities',
    edits: [
      { file: 'deploy/kubernetes/worker.yaml', find: 'capabilities: { drop: [ALL] }', replace: 'capabilities: {}' },
    ],
  },
  {
    name: 'no-password',
    what: 'roles.sql gives the worker another password',
    edits: [
      {
        file: 'deploy/container/roles.sql',
        find: 'create role brickmark_worker login password :',
        replace: "create role brickmark_worker login password :'api_password'; --",
      },
    ],
  },
]
