import { type DraftValues, keptValues, UNSENT_FORMS_MAX } from '../../rules/drafts.ts'
import { endingOf, handDraftsOver, type OwnedDraft } from './persistence.ts'

// What is typed and not sent, in this tab's session storage, by page and form: it survives a log-in
// on the way. A draft belongs to the account that wrote it; one that was written without a log-in, to
// the account that logs in next.

interface Draft extends OwnedDraft {
  /** When it was written, in ms since 1970. */
  at: number
  values: DraftValues
}

interface Options {
  /** The prefix of the keys of these drafts. */
  prefix: string
  userHere: () => number | undefined
}

/** The drafts of one part of the site. Storage may be forbidden or full: then nothing is kept. */
export function createDrafts({ prefix, userHere }: Options) {
  /** The user of this page, also once the session has ended. */
  let author: number | undefined
  const authorHere = () => {
    author = userHere() ?? author
    return author
  }
  const keyOf = (form: string) => `${prefix}${location.pathname}${location.search}:${form}`

  const readKey = (key: string) => JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null
  const all = () => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))

  /** Drops the oldest drafts when another form begins one. */
  function makeRoomFor(key: string): void {
    const others = all().filter((each) => each !== key)
    if (others.length < UNSENT_FORMS_MAX) return
    const [oldest] = others.sort((a, b) => (readKey(a)?.at ?? 0) - (readKey(b)?.at ?? 0))
    if (oldest) sessionStorage.removeItem(oldest)
  }

  // A log-out in another tab.
  if (typeof window !== 'undefined') {
    window.addEventListener('storage', ({ key }) => {
      if (key === endingOf(prefix)) handDraftsOver(prefix)
    })
  }

  const drafts = {
    /** What the user of this page typed in this form before, or null. */
    read: (form: string): DraftValues | null =>
      attempt(() => {
        const draft = readKey(keyOf(form))
        const isTheirs = draft && (draft.by === null || draft.by === userHere())
        authorHere()
        return isTheirs ? draft.values : null
      }) ?? null,
    /** Keeps what was typed, without secrets; nothing if there is nothing. */
    keep(form: string, values: DraftValues): void {
      const kept = keptValues(values)
      if (!kept) drafts.forget(form)
      else
        attempt(() => {
          makeRoomFor(keyOf(form))
          const draft: Draft = { by: authorHere() ?? null, at: Date.now(), values: kept }
          sessionStorage.setItem(keyOf(form), JSON.stringify(draft))
        })
    },
    /** To be called when the words were sent or discarded. */
    forget(form: string): void {
      attempt(() => sessionStorage.removeItem(keyOf(form)))
    },
    /** To be called when a form is closed: its user discards the words, unless the session has ended. */
    close(form: string): void {
      if (userHere() === authorHere()) drafts.forget(form)
    },
  }
  return drafts
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

export type Drafts = ReturnType<typeof createDrafts>
