import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { API_NODE_FLAGS } from '@brickmark/api/node-flags'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const API = [...API_NODE_FLAGS, 'apps/api/main.ts']

test('npm run api starts node with the same flags as the demo, the system tests and the benchmarks', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { api: string } }
  expect(scripts.api).toBe(['node', ...API].join(' '))
})

test('the image starts node with the same flags, and compose and Kubernetes do not override them', () => {
  const [service = ''] = read('deploy/container/Dockerfile').split('FROM runtime AS web')
  const commands = [...service.matchAll(/^CMD (.+)$/gm)].map(([, command = '']) => JSON.parse(command) as string[])
  expect(commands).toEqual([API])
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as { services: { api: object } }
  expect(Object.keys(services.api)).not.toContain('command')
  expect(Object.keys(services.api)).not.toContain('entrypoint')
  const [deployment = ''] = read('deploy/kubernetes/api.yaml').split('\n---\n')
  const { spec } = parse(deployment) as { spec: { template: { spec: { containers: object[] } } } }
  expect(spec.template.spec.containers.flatMap(Object.keys)).not.toContain('args')
  expect(spec.template.spec.containers.flatMap(Object.keys)).not.toContain('command')
})
