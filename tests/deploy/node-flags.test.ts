import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'
import { WEB_NODE_FLAGS } from '@brickmark/web/node-flags'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const API = [...API_NODE_FLAGS, 'apps/api/main.ts']
const WEB = [...WEB_NODE_FLAGS, 'apps/web/host/main.ts']

test('npm scripts start node with the same flags as the demo, the system tests and the benchmarks', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { api: string; web: string } }
  expect(scripts.api).toBe(['node', ...API].join(' '))
  expect(scripts.web).toBe(['node', ...WEB].join(' '))
})

test('systemd starts what npm scripts start, with the Node of npm ci', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const [unit, script] of [
    ['brickmark-api@', 'api'],
    ['brickmark-worker', 'worker'],
    ['brickmark-web', 'web'],
    ['brickmark-docs', 'docs'],
  ] as const) {
    const [, command] = /^ExecStart=\/opt\/brickmark\/node_modules\/\.bin\/(.+)$/m.exec(
      read(`deploy/systemd/${unit}.service`),
    )!
    expect(command).toBe(scripts[script])
  }
})

test('the image starts node with the same flags, and compose and Kubernetes do not override them', () => {
  const text = read('deploy/container/Dockerfile')
  const commands = [...text.matchAll(/^CMD (.+)$/gm)].map(([, command = '']) => JSON.parse(command) as string[])
  expect(commands).toEqual([API, WEB])
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as { services: { api: object } }
  expect(Object.keys(services.api)).not.toContain('command')
  expect(Object.keys(services.api)).not.toContain('entrypoint')
  const [deployment = ''] = read('deploy/kubernetes/api.yaml').split('\n---\n')
  const { spec } = parse(deployment) as { spec: { template: { spec: { containers: object[] } } } }
  expect(spec.template.spec.containers.flatMap(Object.keys)).not.toContain('args')
  expect(spec.template.spec.containers.flatMap(Object.keys)).not.toContain('command')
})
