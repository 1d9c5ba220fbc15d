import { expect, vi } from 'vitest'
import { type OpenPage, openPage } from './browser.ts'
import type { DownloadServer } from './fake-downloads.ts'
import { fakeShop } from './fake-shop.ts'

export const titled = (documentId: number) => ({
  documentId,
  title: 'درس: الكسور / 1',
  fileType: 'pdf',
})

/** Advances the waits between retries until a download reaches a phase. */
export async function until({ downloads }: OpenPage, id: number, phase: string | undefined) {
  const isThere = () => downloads.$downloads.get()[id]?.phase === phase
  for (let turn = 0; turn < 400 && !isThere(); turn += 1) await vi.advanceTimersByTimeAsync(250)
  expect(downloads.$downloads.get()[id]?.phase).toBe(phase)
}

/** A page whose downloads are subscribed to. */
export async function aPage(): Promise<OpenPage> {
  const page = await openPage(fakeShop())
  page.downloads.$downloads.listen(() => undefined)
  return page
}

export const savedBytes = async (server: DownloadServer, at = 0) =>
  new Uint8Array((await server.saved[at]?.file.arrayBuffer()) ?? [])
