import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { createAsset } from './asset.ts'

// A worker that hands over the script of the interactive reference and ends. The package gives it away only through its
// plugin, and whoever imports that keeps 12 MB of heap and loses 200 ms: neither is for the thread that answers requests.
const app = Fastify()
await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
const { body } = await app.inject('/reference/js/scalar.js')
// A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(createAsset('text/javascript; charset=utf-8', body))
