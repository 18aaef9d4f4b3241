import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

/** Static checks of the files in deploy/. `npm run test:system -- containers` verifies that they work. */

const DEPLOY = new URL('../../deploy/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, DEPLOY), 'utf8')

describe('systemd', () => {
  const limits = {
    'brickmark-api@': 'api',
    'brickmark-worker': 'worker',
    'brickmark-web': 'web',
    'brickmark-docs': 'docs',
  }

  test('every unit has limits and no rights that it doesn’t need', () => {
    expect(readdirSync(new URL('systemd/', DEPLOY)).toSorted()).toEqual(
      Object.keys(limits)
        .map((name) => `${name}.service`)
        .toSorted(),
    )
    const hardening = ['CapabilityBoundingSet=', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'ProtectHome=yes']
    for (const [name, workload] of Object.entries(limits)) {
      const lines = read(`systemd/${name}.service`).split('\n')
      expect(lines).toEqual(
        expect.arrayContaining(['User=brickmark', 'Restart=always', 'KillSignal=SIGTERM', ...hardening]),
      )
      // As in Kubernetes.
      const [, memory] = /limits: \{ memory: (\d+)Mi \}/.exec(read(`kubernetes/${workload}.yaml`))!
      expect(lines).toContain(`MemoryMax=${memory}M`)
      expect(lines).toContain(`EnvironmentFile=/etc/brickmark/${workload}.env`)
    }
  })
})

describe('Dockerfile', () => {
  const text = read('container/Dockerfile')
  const stages = text.split(/^FROM /m).slice(1)
  const stage = (name: string) => stages.find((stage) => stage.split('\n')[0]!.endsWith(` AS ${name}`))!

  test('uses the Node version that the tests run on', () => {
    const { dependencies } = JSON.parse(read('../package.json')) as { dependencies: { node: string } }
    expect(text).toContain(`\nARG NODE_IMAGE=docker.io/library/node:${dependencies.node}-bookworm-slim@sha256:`)
  })

  test('base images are pinned by digest, here and in compose.yaml', () => {
    const images = [
      ...[...text.matchAll(/^ARG \w+_IMAGE=(.+)$/gm)].map(([, image]) => image!),
      ...read('compose.yaml')
        .split('\n')
        .filter((line) => /^\s+image: docker\.io\//.test(line)),
    ]
    expect(images).toHaveLength(3)
    for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/)
    for (const stage of stages) expect(stage).toMatch(/^(\$\{(NODE|DEBIAN)_IMAGE\}|node|runtime|service) AS /)
  })

  test('both images derive from the stage without npm and run as a numeric non-root user', () => {
    for (const name of ['service', 'web']) expect(stage(name)).toMatch(/^runtime AS /)
    expect(stage('runtime')).toMatch(/^\$\{DEBIAN_IMAGE\} AS /)
    expect([...text.matchAll(/^USER (.+)$/gm)].map(([, user]) => user)).toEqual(['10001:10001'])
    expect(stage('runtime')).toContain('\nUSER 10001:10001\n')
  })

  test('final stages only copy files and run or fetch nothing', () => {
    for (const name of ['runtime', 'service', 'web']) expect(stage(name)).not.toMatch(/^(RUN|ADD) /m)
  })

  test('images contain only production dependencies', () => {
    const workspaces = {
      service: '--workspace apps/api --workspace apps/docs --workspace apps/worker --workspace apps/ops',
      web: '--workspace apps/web',
    }
    for (const [name, apps] of Object.entries(workspaces)) {
      expect(stage(name)).toContain(`COPY --from=${name}-modules /app ./\n`)
      expect(stage(`${name}-modules`)).toContain(`npm ci ${apps} --omit=dev --omit=optional --ignore-scripts`)
    }
  })

  test('the web image has the binary of the picture renderer, which is an optional package', () => {
    expect(stage('web')).toContain('COPY --from=web-build /app/node_modules/@resvg node_modules/@resvg')
  })

  test('the service image contains the built docs, and not what builds them', () => {
    expect(stage('docs-build')).toContain('npm ci --workspace apps/docs --workspace packages/client --ignore-scripts')
    expect(stage('docs-build')).toContain('\nRUN npm run build --workspace apps/docs\n')
    expect(stage('service').match(/^COPY .*apps\/docs.*$/gm)).toEqual([
      'COPY apps/docs/server apps/docs/server',
      'COPY --from=docs-build /app/apps/docs/dist apps/docs/dist',
    ])
    expect(read('../.dockerignore').split('\n')).toContain('apps/docs/dist')
  })

  test('commands use the exec form, so that node receives signals directly', () => {
    for (const [, form] of text.matchAll(/^\s*(?:ENTRYPOINT|CMD) (.*)$/gm)) expect(form).toMatch(/^\["/)
    expect(stage('runtime')).toContain('\nENTRYPOINT ["/usr/local/bin/node"]\n')
  })

  test('.dockerignore excludes tests and node_modules', () => {
    expect(read('../.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['*', '**/*.test.ts', '**/node_modules']),
    )
  })
})

type Compose = {
  services: Record<
    string,
    {
      read_only?: boolean
      cap_drop?: string[]
      security_opt?: string[]
      environment: Record<string, string>
      depends_on?: Record<string, { condition: string }>
      healthcheck?: object
      image: string
    }
  >
}

describe('compose.yaml', () => {
  const text = read('compose.yaml')
  const { services } = parse(text, { merge: true }) as Compose

  test.each(Object.keys(services))('%s is read-only and has no capabilities', (name) => {
    const { read_only, cap_drop, security_opt } = services[name]!
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test.each(['demo', 'api', 'worker', 'web'])('%s waits for the migration', (name) => {
    expect(services[name]!.depends_on!['migrate']).toEqual({ condition: 'service_completed_successfully' })
  })

  test('secrets have no defaults and are listed in .env.example without values', () => {
    const used = [...text.matchAll(/\$\{(\w+)(.*?)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }))
    const secret = used.filter(({ name }) => /PASSWORD|PEPPERS|SECRET|WEBHOOK_KEY/.test(name))
    for (const { rest } of secret) expect(rest).toBe(':?see .env.example')
    const example = read('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(example.toSorted()).toEqual([...new Set(secret.map(({ name }) => `${name}=`))].toSorted())
  })

  test.each([
    ['OWNER_DB_PASSWORD', ['postgres', 'migrate']],
    ['POSTGRES_PASSWORD', ['postgres', 'demo']],
  ])('%s is given to %j only', (password, expected) => {
    const receiving = Object.keys(services).filter((name) => JSON.stringify(services[name]).includes(password))
    expect(receiving).toEqual(expected)
  })
})

type Container = {
  name: string
  image: string
  ports?: { name: string; containerPort: number }[]
  env?: { name: string; value: string }[]
  envFrom: { secretRef?: { name: string }; configMapRef?: { name: string } }[]
  readinessProbe?: { httpGet: { path: string } }
  livenessProbe?: { httpGet: { path: string } }
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  resources: { requests: { memory: string }; limits: { memory: string } }
  securityContext: object
}
type Pod = {
  terminationGracePeriodSeconds?: number
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  securityContext: object
  containers: Container[]
}
type Manifest = {
  kind: string
  metadata: { name: string }
  spec: { template: { metadata: { annotations?: Record<string, string> }; spec: Pod } }
  stringData: Record<string, string>
}

const namespaces = (name: string) =>
  JSON.stringify([{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } }])

describe('kubernetes', () => {
  const files = readdirSync(new URL('kubernetes', DEPLOY))
  const manifests = files.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  )
  const workloads = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  const workload = (name: string) => workloads.find(({ metadata }) => metadata.name === name)!
  const podOf = (name: string) => workload(name).spec.template.spec
  const names = workloads.map(({ metadata }) => metadata.name).toSorted()

  test('every network policy that admits traffic says from where', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const rules = policies.flatMap(({ metadata, spec }) =>
      ((spec as unknown as { ingress?: { from?: object[] }[] }).ingress ?? []).map(({ from }) => [
        metadata.name,
        JSON.stringify(from),
      ]),
    )
    expect(rules).toEqual([
      ['allow-http-from-ingress', namespaces('ingress-nginx')],
      ['allow-metrics', namespaces('monitoring')],
    ])
  })

  test('the kustomization lists every manifest except the example secrets and the optional patch', () => {
    const { resources } = parse(read('kubernetes/kustomization.yaml')) as { resources: string[] }
    expect([...resources, 'database-ca.yaml', 'kustomization.yaml', 'secret.example.yaml'].toSorted()).toEqual(
      files.toSorted(),
    )
    expect(names).toEqual(['api', 'docs', 'migrate', 'web', 'worker'])
  })

  test.each(names)(
    '%s runs as non-root and read-only, without capabilities, service account token or service links',
    (name) => {
      const { securityContext, automountServiceAccountToken, enableServiceLinks, containers } = podOf(name)
      expect({ securityContext, automountServiceAccountToken, enableServiceLinks }).toEqual({
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10001,
          runAsGroup: 10001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        automountServiceAccountToken: false,
        enableServiceLinks: false,
      })
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toMatch(/^\d+Mi$/)
      }
    },
  )

  test.each(['api', 'web'])('%s uses /readyz for readiness and /healthz for liveness', (name) => {
    const [container] = podOf(name).containers
    expect(container!.readinessProbe!.httpGet.path).toBe('/readyz')
    expect(container!.livenessProbe!.httpGet.path).toBe('/healthz')
  })

  // The timeouts in apps/worker/worker.ts and apps/web/host/server.ts and the API's statement timeouts, with a
  // margin.
  test.each([
    ['api', 5, 10],
    ['web', 5, 10],
    ['worker', 0, 30],
  ])('%s has a grace period long enough to stop', (name, wait, work) => {
    const { containers, terminationGracePeriodSeconds = 30 } = podOf(name)
    expect(containers[0]!.lifecycle?.preStop.sleep.seconds ?? 0).toBe(wait)
    expect(terminationGracePeriodSeconds).toBeGreaterThan(wait + work)
  })

  test.each(['api', 'worker'])('%s has scrape annotations that match its metrics port', (name) => {
    const { metadata, spec } = workload(name).spec.template
    const [container] = spec.containers
    expect(metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': '9464',
      'prometheus.io/path': '/metrics',
    })
    expect(container!.ports).toContainEqual({ name: 'metrics', containerPort: 9464 })
    expect(container!.env).toEqual([{ name: 'METRICS_PORT', value: '9464' }])
  })

  test('each workload uses its own secret, the migration that of the owner; the example secrets are empty', () => {
    const used = names.map((name) => [
      name,
      podOf(name).containers[0]!.envFrom.flatMap((source) => source.secretRef?.name ?? []),
    ])
    expect(Object.fromEntries(used)).toEqual({
      api: ['api'],
      docs: [],
      migrate: ['owner'],
      web: ['web'],
      worker: ['worker'],
    })
    const secrets = manifests.filter(({ kind }) => kind === 'Secret')
    expect(secrets.map(({ metadata }) => metadata.name)).toEqual(['owner', 'api', 'worker', 'web'])
    expect(new Set(secrets.flatMap(({ stringData }) => Object.values(stringData)))).toEqual(new Set(['']))
  })
})

describe('workflows', () => {
  const folder = '../.github/workflows/'
  const texts = readdirSync(new URL(folder, DEPLOY)).map((name) => read(folder + name))

  test('every action is pinned by commit, with its version beside it', () => {
    const uses = texts.flatMap((text) => [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action!))
    expect(uses.length).toBeGreaterThan(10)
    for (const action of uses) expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('jobs that publish run no install scripts, keep no credentials and pin their tools', () => {
    type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
    const { jobs } = parse(read(`${folder}release.yml`)) as {
      jobs: Record<string, { permissions: Record<string, string>; steps: Step[] }>
    }
    const publishing = Object.values(jobs).filter(({ permissions }) => permissions['id-token'] === 'write')
    expect(publishing).toHaveLength(3)
    for (const { permissions, steps } of publishing) {
      expect(permissions['contents']).toBe('read')
      for (const { uses, run = '', with: options } of steps) {
        if (uses?.startsWith('actions/checkout@') === true)
          expect(options).toMatchObject({ 'persist-credentials': false })
        if (run.includes('npm ci')) expect(run).toContain('--ignore-scripts')
        for (const [, tool] of run.matchAll(/pipx run (\S+)/g)) expect(tool).toMatch(/==\d/)
      }
    }
  })
})
