// Runs in the head of the reader's page: opens the document and shows the picture of its page
// before any other script is loaded, so that an old phone on a slow connection shows it first. The
// island continues with `firstPage`. Visitors who are not logged in are sent to the log-in at once.

import { accountAddress, thisPage } from '../i18n/addresses.ts'
import { splitPath } from '../i18n/paths.ts'
import type { Exam } from '../rules/exam.ts'
import {
  type FirstPage,
  fittingWidth,
  type KeptPlace,
  lineOf,
  openingPlace,
  pictureWidth,
  readerView,
  type Shape,
  sharpnessOf,
} from '../rules/reader.ts'
import { PAGE_WIDTHS } from '../rules/reading.ts'
import { SAMPLE_QUERY } from '../rules/sample-query.ts'
import {
  CLOCK_KEY,
  EXAM_PREFIX,
  PLACES_KEY,
  READER_VIEW_KEY,
  TOKEN_KEY,
} from '../rules/storage-keys.ts'
import { readToken, serverTime } from '../rules/token.ts'

interface Opened {
  sizes: Shape[]
  pages: string
  place: KeptPlace | null
}

const saved = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // storage is forbidden
  }
}
const savedJson = (key: string): unknown => {
  try {
    return JSON.parse(saved(key) ?? '')
  } catch {
    return null
  }
}

const root = document.documentElement
const { locale, path } = splitPath(location.pathname)
const id = Number(/^\/read\/([1-9]\d{0,8})$/.exec(path)?.[1] ?? 0)
const token = saved(TOKEN_KEY) ?? ''
const session = readToken(token, serverTime(Date.now(), saved(CLOCK_KEY)))
const view = readerView(savedJson(READER_VIEW_KEY))
root.classList.toggle('is-night', view.isNight)
root.classList.toggle('is-embedded', parent !== window)

async function open(): Promise<{ status: number; body: unknown }> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  try {
    const answer = await fetch(`/api/library/documents/${id}/reading`, {
      headers,
      credentials: 'omit',
    })
    return { status: answer.status, body: await answer.json().catch(() => null) }
  } catch {
    return { status: 0, body: null }
  }
}

/** During an exam, the correction is closed. */
function openPages(count: number): number {
  const kept = savedJson(`${EXAM_PREFIX}${session?.userId}`) as { exam?: Partial<Exam> } | null
  const { documentId, pages = count, isOver, isSample } = kept?.exam ?? {}
  return documentId === id && !isOver && !isSample ? Math.min(pages, count) : count
}

async function pictureOf({ sizes, pages, place }: Opened): ReturnType<() => FirstPage['picture']> {
  const here = (savedJson(PLACES_KEY) as Record<number, KeptPlace> | null)?.[id] ?? null
  const { page } = openingPlace(here, place, openPages(sizes.length))
  const screen = { width: innerWidth, height: innerHeight }
  const across = fittingWidth(sizes[page - 1] as Shape, screen, view.layout)
  const { first } = sharpnessOf(devicePixelRatio, lineOf(navigator))
  const width = pictureWidth(across, first, PAGE_WIDTHS)
  const answer = await fetch(`${pages}${page}-${width}.webp`, { credentials: 'omit' })
  return answer.ok ? { page, width, bytes: await answer.blob() } : null
}

/** Shows the picture until the island has drawn the page itself. */
async function showPicture(picture: FirstPage['picture']): Promise<void> {
  const [shown] = await Promise.all([picture, parsed])
  const image = document.querySelector<HTMLImageElement>('#first-page')
  if (!shown || !image) return
  image.src = URL.createObjectURL(shown.bytes)
  await image.decode()
  image.hidden = false
}

const parsed = new Promise<unknown>((resolve) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', resolve)
  else resolve(null)
})

if (!session && parent === window) {
  // Without a network, the island shows the documents kept on a parent's own phone.
  if (navigator.onLine) location.replace(accountAddress(locale, thisPage()))
} else if (id > 0 && location.search !== SAMPLE_QUERY) {
  const answer = open()
  const picture = answer
    .then(({ status, body }) => (status === 200 ? pictureOf(body as Opened) : null))
    .catch(() => null)
  window.firstPage = {
    documentId: id,
    answer,
    picture,
    shown: showPicture(picture).catch(() => {}),
  }
}
