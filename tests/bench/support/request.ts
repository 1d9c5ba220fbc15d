import { type Agent, get, type IncomingMessage } from 'node:http'

export function request(url: string, { token, agent }: { token?: string; agent?: Agent } = {}) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  return new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: agent ?? false }, resolve).on('error', reject)
  })
}

export async function readAll(answer: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await answer.toArray())
}
