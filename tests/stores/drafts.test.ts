import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { UNSENT_FORMS_MAX, UNSENT_MAX_LENGTH } from '../../src/rules/drafts.ts'
import { createDrafts } from '../../src/stores/shared/drafts.ts'
import { handDraftsOver } from '../../src/stores/shared/persistence.ts'

const PREFIX = 'draft:'
const AMAL = 5
const BILEL = 6

/** What a browser's storage does, as far as drafts need it. */
const aStorage = () =>
  Object.defineProperties(Object.create(null), {
    getItem: {
      value(this: Record<string, string>, key: string) {
        return this[key] ?? null
      },
    },
    setItem: {
      value(this: Record<string, string>, key: string, text: string) {
        this[key] = text
      },
    },
    removeItem: {
      value(this: Record<string, string>, key: string) {
        delete this[key]
      },
    },
  })

let userHere: number | undefined
let listeners: ((event: { key: string }) => void)[] = []
/** Another page of the same tab. */
const aPage = () => createDrafts({ prefix: PREFIX, userHere: () => userHere })
const logIn = (id: number) => {
  handDraftsOver(PREFIX, id)
  userHere = id
}
const logOut = () => {
  handDraftsOver(PREFIX)
  userHere = undefined
}
const runOut = () => {
  userHere = undefined
}
const WORDS = { words: 'La page 3 est de moi.' }

beforeEach(() => {
  userHere = undefined
  listeners = []
  vi.stubGlobal('window', {
    addEventListener: (_: string, hear: (typeof listeners)[number]) => listeners.push(hear),
  })
  vi.stubGlobal('sessionStorage', aStorage())
  vi.stubGlobal('localStorage', aStorage())
  vi.stubGlobal('location', { pathname: '/shop-details/7', search: '' })
  vi.useFakeTimers({ toFake: ['Date'] })
  return () => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

const later = () => vi.advanceTimersByTime(1000)

test('words from before a log-in belong to the next account that logs in, and to no other', () => {
  aPage().keep('report', WORDS)
  expect(aPage().read('report')).toEqual(WORDS)
  logIn(AMAL)
  expect(aPage().read('report')).toEqual(WORDS)
  runOut()
  expect(aPage().read('report')).toBeNull()
  logIn(BILEL)
  expect(aPage().read('report')).toBeNull()
  logIn(AMAL)
  expect(aPage().read('report')).toBeNull()
})

test('words of a session that ran out come back to their author, also those typed after its end', () => {
  logIn(AMAL)
  const page = aPage()
  page.keep('report', WORDS)
  runOut()
  page.keep('report', { words: `${WORDS.words} Regardez !` })
  page.close('report')
  expect(aPage().read('report')).toBeNull()
  logIn(AMAL)
  expect(aPage().read('report')?.words).toContain('Regardez')
})

test('words end with their form, at a log-out, and at one in another tab', () => {
  logIn(AMAL)
  const page = aPage()
  page.keep('report', WORDS)
  page.close('report')
  expect(page.read('report')).toBeNull()

  page.keep('report', WORDS)
  logOut()
  expect(Object.keys(sessionStorage)).toEqual([])
  expect(Object.keys(localStorage)).toEqual([])

  logIn(AMAL)
  page.keep('report', WORDS)
  // Another tab writes the key and removes it.
  for (const hear of listeners) hear({ key: 'draft:ended' })
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('each form of each page has its own', () => {
  const page = aPage()
  page.keep('report', WORDS)
  expect(page.read('rating')).toBeNull()
  vi.stubGlobal('location', { pathname: '/shop-details/8', search: '' })
  expect(page.read('report')).toBeNull()
})

test('neither passwords nor codes nor bank data nor files are ever kept', () => {
  const secrets = [
    'password',
    'newPassword',
    'code',
    'oldCode',
    'rib',
    'holder',
    'account.rib',
    'file',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...secrets), fc.string({ minLength: 1 }), (name, secret) => {
      const page = aPage()
      page.keep('form', { [name]: `S${secret}`, words: 'x' })
      expect(page.read('form')).toEqual({ words: 'x' })
      page.keep('form', { [name]: secret })
      expect(page.read('form')).toBeNull()
    }),
  )
})

test('a draft and their number are bounded: the oldest makes room', () => {
  const page = aPage()
  page.keep('long', { words: 'x'.repeat(UNSENT_MAX_LENGTH + 1) })
  expect(page.read('long')).toBeNull()
  for (let at = 0; at <= UNSENT_FORMS_MAX; at++) {
    later()
    page.keep(`form ${at}`, WORDS)
  }
  expect(page.read('form 0')).toBeNull()
  expect(page.read('form 1')).toEqual(WORDS)
  expect(page.read(`form ${UNSENT_FORMS_MAX}`)).toEqual(WORDS)
})

test('without storage nothing is kept, and nothing breaks', () => {
  vi.stubGlobal('sessionStorage', undefined)
  const page = aPage()
  page.keep('report', WORDS)
  expect(page.read('report')).toBeNull()
  logIn(AMAL)
  logOut()
})
