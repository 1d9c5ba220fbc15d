import type { Import } from '../../src/contract/office-imports.ts'

/** The size of an uploaded part, in bytes. */
const PART = 256 * 1024

/** A teacher who imports lists over the network, into the shop that `url` names at each call. */
export function importerOf(url: () => string, token: string) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const answer = await fetch(`${url()}/api/office/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  return {
    call,
    last: async () => (await call<{ last: Import }>('GET', 'imports/last')).last,
    /** Sends a ZIP and begins to import it. */
    async begin(zip: Buffer): Promise<Import> {
      const body = { name: 'list.zip', size: zip.length, purpose: 'import' }
      const { id: uploadId } = await call<{ id: string }>('POST', 'uploads', body)
      for (let from = 0; from < zip.length; from += PART) {
        const part = zip.subarray(from, from + PART)
        await call('PUT', `uploads/${uploadId}/part?offset=${from}`, part)
      }
      await call('POST', `uploads/${uploadId}/finish`)
      return await call<Import>('POST', 'imports', { uploadId })
    },
  }
}
