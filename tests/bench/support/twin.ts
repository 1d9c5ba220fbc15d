import { once } from 'node:events'
import { createServer } from 'node:http'
import { brotliCompressSync } from 'node:zlib'

/** A server of a shop's pages without their scripts and fonts. */
export interface Twin {
  readonly url: string
  close(): Promise<void>
}

/** Headers that no longer apply, or that each server writes itself. */
const DROPPED_HEADERS = [
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'date',
  'etag',
  'keep-alive',
  'link',
  'transfer-encoding',
]

/** Opens the twin of a shop; it reads each page once and then answers from memory. */
export async function twinOf(shop: string): Promise<Twin> {
  const kept = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>()
  const read = async (path: string) => {
    const response = await fetch(shop + path)
    const type = response.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await response.arrayBuffer())
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !DROPPED_HEADERS.includes(name)),
    )
    const isText = /html|css/.test(type)
    const body = isText
      ? brotliCompressSync(Buffer.from(withoutScriptsAndFonts(bytes.toString('utf8'))))
      : bytes
    if (isText) headers['content-encoding'] = 'br'
    return { status: response.status, headers, body }
  }
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const answer = kept.get(path) ?? (await read(path))
    kept.set(path, answer)
    const length = { 'content-length': answer.body.length }
    response.writeHead(answer.status, { ...answer.headers, ...length }).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function withoutScriptsAndFonts(text: string): string {
  return text
    .replace(/<script\b[^>]*>.*?<\/script>/gs, '')
    .replace(/<link\b[^>]*(modulepreload|as="?(font|script))[^>]*>/g, '')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
}
