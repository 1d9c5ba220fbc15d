import { atom, readonlyType } from 'nanostores'
import type { Place, Reading } from '../../contract/reading.ts'
import { openingPlace } from '../../rules/reader.ts'
import { $places } from '../account/user-data.ts'
import { ask } from '../shared/backend.ts'
import { logOnly } from '../shared/problem.ts'
import { $page, goToPage } from './view.ts'

/** How long one stays on a page before it is kept (ms). */
const STAYED_MS = 2000
/** Of how many documents this browser remembers the place. */
const DOCUMENTS_MAX = 60

const $later = atom<Place | null>(null)
/** Where the document was read on another device after it was read here; null where it was not. */
export const $elsewhere = readonlyType($later)

export function dismissElsewhere(): void {
  $later.set(null)
}

const placeHere = (documentId: number) => $places.get()?.[documentId] ?? null

/** Opens a document at its page. */
export function beginAt({ documentId, place, sizes }: Reading): void {
  const { page, elsewhere } = openingPlace(placeHere(documentId), place, sizes.length)
  goToPage(page, sizes.length)
  $later.set(elsewhere)
}

function remember(documentId: number, place: Place): void {
  const others = Object.entries($places.get() ?? {})
    .filter(([id]) => Number(id) !== documentId)
    .toSorted(([, one], [, other]) => other.at.localeCompare(one.at))
    .slice(0, DOCUMENTS_MAX - 1)
  $places.set({ ...Object.fromEntries(others), [documentId]: place })
}

/**
 * Keeps the page that is read, here and on the server; returns what ends that. `onRefused` is called with what
 * prevents it.
 */
export function followPlace(
  { documentId, place }: Reading,
  onRefused: (error: unknown) => void,
): () => void {
  let unsent: Place | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function send(): Promise<void> {
    clearTimeout(timer)
    const sent = unsent
    if (!sent) return
    unsent = null
    try {
      const kept = await ask(({ reading }) => reading.keepPlace, {
        params: { id: documentId },
        body: sent,
      })
      // By the server's clock from now on, by which it tells what is later.
      if (placeHere(documentId)?.at === sent.at) remember(documentId, { ...sent, at: kept.at })
    } catch (error) {
      logOnly('place')(error)
      onRefused(error)
      unsent ??= sent
    }
  }

  function keep(newest: Place, isLater = true): void {
    unsent = newest
    clearTimeout(timer)
    timer = setTimeout(send, isLater ? STAYED_MS : 0)
  }

  const here = placeHere(documentId)
  // Read without a network, or for the first time.
  if (here && (!place || Date.parse(here.at) > Date.parse(place.at))) keep(here, false)
  else if (!place) keep({ page: $page.get(), at: new Date().toISOString() })

  const stopListening = $page.listen((page) => {
    const newest = { page, at: new Date().toISOString() }
    remember(documentId, newest)
    keep(newest)
  })
  const sendNow = () => void send()
  const onHidden = () => {
    if (document.visibilityState === 'hidden') sendNow()
  }
  addEventListener('pagehide', sendNow)
  addEventListener('online', sendNow)
  document.addEventListener('visibilitychange', onHidden)
  return () => {
    sendNow()
    stopListening()
    removeEventListener('pagehide', sendNow)
    removeEventListener('online', sendNow)
    document.removeEventListener('visibilitychange', onHidden)
  }
}
