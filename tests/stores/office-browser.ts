import { getTestStorage, useTestStorageEngine } from '@nanostores/persistent'
import { vi } from 'vitest'
import { type ApiRequest, type ApiResponse, createApi } from '../../src/client/api.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/storage-keys.ts'
import { aToken } from '../support/token.ts'

// biome-ignore lint/correctness/useHookAtTopLevel: not a React hook, despite its name
useTestStorageEngine()

/** What the office's pages store besides the token. */
export const officeStorage = new Map<string, string>()

const listeners = new EventTarget()

/** Dispatches an event of the window: `online`, `popstate`. */
export const dispatchToWindow = (event: string) => listeners.dispatchEvent(new Event(event))

/**
 * Opens an office page at a path, with all stores afresh, for a logged-in teacher. `answer` answers
 * each call; null: the connection is cut.
 */
export async function openOffice(
  address: string,
  answer: (request: ApiRequest) => ApiResponse | null | Promise<ApiResponse | null>,
) {
  vi.resetModules()
  getTestStorage()[OFFICE_TOKEN_KEY] = aToken({ authorities: ['TEACHER'] })
  const url = new URL(address, 'https://karras.test')
  const location = { pathname: url.pathname, search: url.search }
  const entries: string[] = [address]
  const enter = (replaces: boolean) => (_state: unknown, _title: string, to: string) => {
    entries.splice(replaces ? -1 : entries.length, replaces ? 1 : 0, to)
    location.search = new URL(to, url).search
  }
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', {
    state: null,
    pushState: enter(false),
    replaceState: enter(true),
  })
  vi.stubGlobal('addEventListener', listeners.addEventListener.bind(listeners))
  vi.stubGlobal('removeEventListener', listeners.removeEventListener.bind(listeners))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => officeStorage.get(key) ?? null,
    setItem: (key: string, value: string) => officeStorage.set(key, value),
    removeItem: (key: string) => officeStorage.delete(key),
  })
  const requests: ApiRequest[] = []
  const office = {
    backend: await import('../../src/office/kit/backend.ts'),
    leaving: await import('../../src/office/admin/people/leaving.ts'),
    officeStorage: await import('../../src/office/kit/kept.ts'),
    saving: await import('../../src/office/kit/forms/saving.ts'),
    session: await import('../../src/office/kit/session.ts'),
    table: await import('../../src/office/kit/tables/table.ts'),
    upload: await import('../../src/office/kit/forms/upload.ts'),
  }
  office.backend.connectTo(
    createApi(async (request) => {
      requests.push(request)
      return (await answer(request)) ?? { status: 0, body: null }
    }),
  )
  return {
    ...office,
    requests,
    /** The paths that the page has shown, the current one last. */
    entries,
    /** Goes back to the previous path. */
    back() {
      entries.pop()
      location.search = new URL(entries.at(-1) ?? '', url).search
      dispatchToWindow('popstate')
    },
  }
}
