import { atom, readonlyType } from 'nanostores'
import type { Result } from '../../contract/call.ts'
import { searchOffice, searchOwn } from '../../contract/office-search.ts'
import type { StaffRole } from '../../rules/roles.ts'
import type { Loaded } from '../../stores/shared/loader.ts'
import { logOnly, problemOf } from '../../stores/shared/problem.ts'
import { ask } from '../kit/backend.ts'

type OfAll = Result<typeof searchOffice>
type OfOwn = Result<typeof searchOwn>

/** The results, of the kinds that the role has; only administrators see whose a document is. */
export type Found = Partial<Omit<OfAll & OfOwn, 'documents'>> & {
  documents: readonly { id: number; title: string; teacher?: string }[]
}

/** A search starts after a pause in typing of this length (ms). */
const TYPING_PAUSE_MS = 250

/** A search of the whole office while somebody types; the latest text wins. */
export function createFinder(role: StaffRole) {
  const $state = atom<Loaded<Found>>({ phase: 'idle' })
  let typed = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let request = new AbortController()

  async function find(): Promise<void> {
    const { signal } = request
    const query = { q: typed }
    // The results for the previous text stay while the next answer is under way.
    if ($state.get().phase !== 'ready') $state.set({ phase: 'loading' })
    try {
      const value = await (role === 'ADMIN'
        ? ask(searchOffice, { query }, { signal })
        : ask(searchOwn, { query }, { signal }))
      if (!signal.aborted) $state.set({ phase: 'ready', value })
    } catch (error) {
      if (signal.aborted) return
      logOnly('the search of the office')(error)
      $state.set({ phase: 'failed', problem: problemOf(error) })
    }
  }

  function stop(): void {
    clearTimeout(timer)
    request.abort()
    request = new AbortController()
  }

  return {
    $state: readonlyType($state),
    type(text: string): void {
      const q = text.trim()
      if (q === typed) return
      typed = q
      stop()
      if (q === '') $state.set({ phase: 'idle' })
      else timer = setTimeout(find, TYPING_PAUSE_MS)
    },
    retry(): void {
      stop()
      void find()
    },
    stop,
  }
}
