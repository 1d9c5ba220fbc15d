import { atom, readonlyType } from 'nanostores'
import type { Place, Reading } from '../../contract/reading.ts'
import { openingPlace } from '../../rules/reader.ts'
import { ask } from '../shared/backend.ts'
import { logOnly } from '../shared/problem.ts'
import { $places } from '../user-data/user-data.ts'
import { $page, goToPage } from './view.ts'

/** A page is saved as the reading place after this time on it (ms). */
const STAYED_MS = 2000
/** The number of documents whose place this browser remembers. */
const DOCUMENTS_MAX = 60

const $later = atom<Place | null>(null)
/** The later place on another device; null if this device has the latest place. */
export const $elsewhere = readonlyType($later)

export function dismissElsewhere(): void {
  $later.set(null)
}

const placeHere = (documentId: number) => $places.get()?.[documentId] ?? null

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

/** Keeps the page here and on the server; returns a stop function. */
export function followPlace(
  { documentId, place }: Reading,
  onRefused: (error: unknown) => void,
): () => void {
  let unsent: Place | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function send(): Promise<void> {
    clearTimeout(timer)
    const sentPlace = unsent
    if (!sentPlace) return
    unsent = null
    try {
      const kept = await ask(({ reading }) => reading.keepPlace, {
        params: { id: documentId },
        body: sentPlace,
      })
      // Adopts the server's time, with which the server compares places.
      if (placeHere(documentId)?.at === sentPlace.at)
        remember(documentId, { ...sentPlace, at: kept.at })
    } catch (error) {
      logOnly('place')(error)
      onRefused(error)
      unsent ??= sentPlace
    }
  }

  function keep(newest: Place, isDelayed = true): void {
    unsent = newest
    clearTimeout(timer)
    timer = setTimeout(send, isDelayed ? STAYED_MS : 0)
  }

  const here = placeHere(documentId)
  // Sends a place saved offline, or the first place of a new document.
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
