import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bundleInline } from '../../src/server/publishing/build/head-scripts.ts'
import { anItem, aToken, emptyStorage, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

let script = ''
beforeAll(async () => {
  const source = path.resolve(import.meta.dirname, '../../src/layouts/paint.ts')
  script = (await bundleInline(source)).text
})
beforeEach(emptyStorage)

const FORBIDDEN = {}

/**
 * Runs the script on a page with a count, a balance and documents 1 and 2; returns what is visible.
 */
function painted({
  lang = 'ar',
  localStorage = storage as object,
  line = {} as object | null,
} = {}) {
  const count = { textContent: '' }
  const balance = { textContent: '' }
  const documents = ['1', '2'].map((id) => ({
    dataset: { document: id } as { document: string; state?: string },
    querySelector: () => null,
  }))
  const hearts = ['1', '2'].map((id) => ({ dataset: { heart: id }, ariaPressed: 'false' }))
  const preload = { media: 'not all' }
  const found: Record<string, unknown[]> = {
    '[data-cart-count]': [count],
    '[data-balance]': [balance],
    '[data-document]': documents,
    '[data-heart]': hearts,
    '[as=font]': [preload],
  }
  const root = { lang, dataset: {} as Record<string, string> }
  const listeners = new Map<string, () => void>()
  const addEventListener = (type: string, listener: () => void) => listeners.set(type, listener)
  const context = {
    document: {
      documentElement: root,
      querySelector: () => null,
      querySelectorAll: (selector: string) => found[selector] ?? [],
      addEventListener,
    },
    addEventListener,
    PerformanceObserver: class {
      observe() {}
    },
    atob,
    performance: { now: () => 0 },
    navigator: { connection: line },
    window: {},
  }
  const get = () => {
    if (localStorage === FORBIDDEN) throw new Error('SecurityError')
    return localStorage
  }
  runInNewContext(script, Object.defineProperty(context, 'localStorage', { get }))
  const seen = () => ({
    session: root.dataset.session,
    owns: root.dataset.owns,
    remembers: root.dataset.remembers,
    count: count.textContent,
    balance: balance.textContent,
    states: documents.map(({ dataset }) => dataset.state),
    wished: hearts.map(({ ariaPressed }) => ariaPressed),
  })
  return {
    seen,
    line: root.dataset.line,
    fire: (type: string) => listeners.get(type)?.(),
    fonts: () => ({ font: root.dataset.font, media: preload.media }),
  }
}

const NOBODY = {
  session: 'out',
  owns: 'false',
  remembers: 'false',
  count: '',
  balance: '',
  states: ['', ''],
  wished: ['false', 'false'],
}

describe('the paint script', () => {
  test('shows pending documents to their buyer only, until they are owned', () => {
    storage.ordered_documents = '{"1":12,"2":12}'
    expect(painted().seen().states).toEqual(['', ''])
    storage.token = aToken()
    storage.owned_documents = '[2]'
    expect(painted().seen().states).toEqual(['ordered', 'owned'])
    for (const text of ['7', 'null', '[]', '{', '"x"']) {
      storage.ordered_documents = text
      expect(painted().seen().states).toEqual(['', 'owned'])
    }
  })

  test('paints again when a page that was prerendered is opened', () => {
    const { seen, fire } = painted()
    storage.token = aToken()
    fire('prerenderingchange')
    expect(seen().session).toBe('in')
  })

  test('distinguishes fast connections from those that save data', () => {
    const fast = { effectiveType: '4g', downlink: 10 }
    expect(painted({ line: fast }).line).toBe('fast')
    expect(painted({ line: { ...fast, downlink: 1.5 } }).line).toBe('')
    expect(painted({ line: { ...fast, effectiveType: '3g' } }).line).toBe('')
    expect(painted({ line: { ...fast, saveData: true } }).line).toBe('saved')
    expect(painted().line).toBe('')
  })

  test('uses the font that this browser has loaded before, unless data is saved', () => {
    const system = { media: 'not all' }
    expect(painted().fonts()).toEqual(system)
    storage.font = '1'
    expect(painted().fonts()).toEqual({ font: '', media: '' })
    expect(painted({ line: null }).fonts()).toEqual({ font: '', media: '' })
    expect(painted({ line: { saveData: true } }).fonts()).toEqual(system)
  })

  test('is small', () => {
    expect(brotliCompressSync(script).length).toBeLessThan(1890)
  })

  test('shows a logged-out page where nothing is stored, or storage is blocked', () => {
    expect(painted().seen()).toEqual(NOBODY)
    expect(painted({ localStorage: FORBIDDEN }).seen()).toEqual(NOBODY)
  })

  test('shows what the stores have saved', async () => {
    const shop = fakeShop()
    shop.token = aToken()
    shop.owned.push(2)
    shop.wished.push(1)
    shop.balance = 12.5
    shop.carts.set('user/7', [1, 3])
    storage.static_cart = JSON.stringify({ items: [anItem(3), anItem(4)] })
    expect(painted().seen()).toEqual({ ...NOBODY, count: '2', remembers: 'true' })

    const page = await openPage(shop)
    await page.account.logIn('a@b.tn', 'secret')
    const logged = {
      session: 'in',
      owns: 'true',
      count: '3',
      remembers: 'true',
      states: ['cart', 'owned'],
      wished: ['true', 'false'],
    }
    expect(painted().seen()).toEqual({ ...logged, balance: '12.50' })
    expect(painted({ lang: 'fr' }).seen()).toEqual({ ...logged, balance: '12,50' })

    await page.session.logOut()
    expect(painted().seen()).toEqual(NOBODY)
  })

  test('shows nothing of a user whose token has expired', () => {
    storage.token = aToken({ expiresIn: -1 })
    storage.wallet_balance = '12.5'
    storage.owned_documents = '[1]'
    storage.wishlist = '[1]'
    storage.server_cart = JSON.stringify({ items: [anItem(1)] })
    expect(painted().seen()).toEqual(NOBODY)
  })

  test.each(['rubbish', 'a.b.c', aToken({ expiresIn: -1 }), aToken({ userId: 0 })])(
    'removes an invalid token: %s',
    (token) => {
      storage.token = token
      expect(painted().seen().session).toBe('out')
      expect(storage.token).toBeUndefined()
      const good = aToken()
      storage.token = good
      expect(painted().seen().session).toBe('in')
      expect(storage.token).toBe(good)
    },
  )

  test.each(['', 'x', '7', 'null', '{"items":5}', '{"items":[null]}', '"text"', 'a.b.c'])(
    'survives any stored value: %s',
    (text) => {
      for (const key of [
        'static_cart',
        'server_cart',
        'wallet_balance',
        'owned_documents',
        'wishlist',
      ]) {
        storage[key] = text
      }
      storage.token = text
      expect(painted().seen()).toEqual(NOBODY)
      storage.token = aToken()
      expect(painted().seen().session).toBe('in')
    },
  )

  test.each(['karras:paint', 'catalogue:swapped', 'storage', 'pageshow'])(
    'repaints on %s',
    (event) => {
      const page = painted()
      storage.static_cart = JSON.stringify({ items: [anItem(1)] })
      page.fire(event)
      expect(page.seen().count).toBe('1')
    },
  )
})
