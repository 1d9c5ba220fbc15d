/**
 * A server that does nothing but answer, in its own process: the limit with which the shop is compared.
 * `node bare-server.ts node|fastify <file of answers>` prints its address.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import fastify from 'fastify'
import type { BareAnswer } from './bare.ts'

const [kind, file = ''] = process.argv.slice(2)

if (kind === 'fastify') {
  const app = fastify()
  app.get('/', async () => ({ hello: 'world' }))
  console.log(`at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
} else {
  const answers = JSON.parse(readFileSync(file, 'utf8')) as BareAnswer[]
  const byPath = new Map(
    answers.map(({ path, headers, body }) => {
      const bytes = Buffer.from(body, 'base64')
      return [path, { bytes, headers: { ...headers, 'content-length': bytes.length } }]
    }),
  )
  const server = createServer((request, response) => {
    const answer = byPath.get(request.url ?? '')
    if (answer) response.writeHead(200, answer.headers).end(answer.bytes)
    else response.writeHead(404).end()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`at http://127.0.0.1:${typeof address === 'object' && address?.port}`)
  })
}
