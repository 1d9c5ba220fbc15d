import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as officeAccess from '../../src/contract/office-access.ts'
import { refusal } from './fake-shop.ts'
import { dispatchToWindow, officeStorage, openOffice } from './office-browser.ts'

beforeEach(() => {
  officeStorage.clear()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the session of the office', () => {
  test('ends when the server refuses its token', async () => {
    const office = await openOffice('/office', () => refusal('invalid_token'))
    expect(office.session.$officeSession.get()).toMatchObject({ userId: 7, role: 'TEACHER' })
    await office.backend.ask(officeAccess.getStaff, {}).catch(() => {})
    expect(office.session.$officeSession.get()).toBeNull()
  })

  test('does not start with a customer’s token', async () => {
    const office = await openOffice('/office', () => null)
    office.session.dropOfficeToken()
    const { aToken } = await import('../support/token.ts')
    expect(office.session.startOfficeSession(aToken())).toBe(false)
    expect(office.session.officeToken()).toBe('')
    expect(office.session.startOfficeSession(aToken({ authorities: ['ADMIN'] }))).toBe(true)
    expect(office.session.$officeSession.get()?.role).toBe('ADMIN')
  })
})

test('money paid back is recorded once however often it is sent, and anew where it was changed', async () => {
  const answers = [null, null, { status: 200, body: { waits: null } }]
  const office = await openOffice('/office/person?id=5', ({ path }) =>
    path.endsWith('/return') ? (answers.shift() ?? null) : null,
  )
  const body = { seen: 5000, reference: 'VIR 1', transferredOn: '2026-11-26', reason: 'يغادر' }
  const record = (change = {}) =>
    office.leaving.returnMoney(5, { ...body, ...change }).catch(() => {})
  await record()
  await record()
  await record({ reference: 'VIR 2' })
  await record({ reference: 'VIR 2' })
  const keys = office.requests.flatMap(({ path, headers }) =>
    path.endsWith('/return') ? [headers['idempotency-key'] ?? ''] : [],
  )
  expect(keys).toEqual([keys[0], keys[0], keys[2], keys[3]])
  expect(new Set(keys).size).toBe(3)
  // Browsers refuse headers with other letters.
  for (const key of keys) expect(key).toMatch(/^[!-~]+$/)
})

describe('a table', () => {
  const aTable = async (address: string, pages = 3) => {
    const office = await openOffice(address, () => null)
    const load = vi.fn(async ({ page }: { page: number }) => ({
      content: [page],
      totalElements: pages * 10,
      totalPages: pages,
      number: page,
    }))
    const table = office.table.createTable({
      what: 'test',
      sorts: ['-price', 'price', 'title'],
      filters: ['state'],
      load,
    })
    const close = table.open()
    await vi.waitFor(() => expect(table.$state.get().isLoading).toBe(false))
    const lastQuery = () => load.mock.calls.at(-1)?.[0]
    return { office, table, load, lastQuery, close }
  }

  test('shows the state in its URL, and ignores invalid values', async () => {
    const { lastQuery } = await aTable('/office/x?id=5&page=2&sort=price&q=a&state=draft')
    expect(lastQuery()).toEqual({ page: 1, sort: 'price', q: 'a', state: 'draft' })
    const bad = await aTable('/office/x?page=-2&sort=rubbish&state=')
    expect(bad.lastQuery()).toEqual({ page: 0, sort: '-price' })
  })

  test('writes each change to the URL, and keeps its other parameters; back undoes it', async () => {
    const { office, table, lastQuery } = await aTable('/office/x?id=5&page=2')
    table.filter('state', 'draft')
    expect(office.entries.at(-1)).toBe('/office/x?id=5&state=draft')
    table.show({ page: 2 })
    expect(office.entries.at(-1)).toBe('/office/x?id=5&state=draft&page=3')
    office.back()
    expect(lastQuery()).toEqual({ page: 0, sort: '-price', state: 'draft' })
    table.filter('state', '')
    expect(office.entries.at(-1)).toBe('/office/x?id=5')
  })

  test('searches once typing pauses, as one history entry', async () => {
    const { office, table, load } = await aTable('/office/x')
    vi.useFakeTimers()
    const calls = load.mock.calls.length
    for (const text of ['k', 'ka', 'kar ']) table.search(text)
    await vi.runAllTimersAsync()
    expect(load.mock.calls.length).toBe(calls + 1)
    expect(office.entries).toEqual(['/office/x?q=kar'])
  })

  test('falls back to the last page when a page is gone, and keeps the rows after a failure', async () => {
    const { office, table, load } = await aTable('/office/x?page=9')
    await vi.waitFor(() => expect(table.$state.get().page?.number).toBe(2))
    expect(office.entries).toEqual(['/office/x?page=3'])
    load.mockRejectedValueOnce(new Error('cut'))
    table.refresh()
    await vi.waitFor(() => expect(table.$state.get().problem?.code).toBe('network'))
    expect(table.$state.get().page?.number).toBe(2)
  })
})

describe('a row that a call returned', () => {
  const aList = async (address: string) => {
    const office = await openOffice(address, () => null)
    const load = vi.fn(async () => ({
      content: [{ id: 1, state: 'paid' }],
      totalElements: 1,
      totalPages: 2,
      number: 0,
    }))
    const table = office.table.createTable({ what: 'rows', filters: ['state'], load })
    table.open()
    await vi.waitFor(() => expect(table.$state.get().isLoading).toBe(false))
    return { table, load, rows: () => table.$state.get().page?.content }
  }

  test('takes the place of the older one, or is the newest, without another call', async () => {
    const { table, load, rows } = await aList('/office')
    table.put({ id: 1, state: 'refunded' })
    expect(rows()).toEqual([{ id: 1, state: 'refunded' }])
    table.put({ id: 2, state: 'requested' })
    expect(rows()?.map(({ id }) => id)).toEqual([2, 1])
    expect(table.$state.get().page?.totalElements).toBe(2)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('has a filtered list, and a later page without it, loaded again', async () => {
    const filtered = await aList('/office?state=paid')
    filtered.table.put({ id: 1, state: 'refunded' })
    expect(filtered.load).toHaveBeenCalledTimes(2)
    const later = await aList('/office?page=2')
    later.table.put({ id: 2, state: 'requested' })
    expect(later.load).toHaveBeenCalledTimes(2)
  })
})

describe('saving', () => {
  const aSaving = async (save: (values: string) => Promise<unknown>) => {
    const office = await openOffice('/office', () => null)
    const saving = office.saving.createSaving({ keepAs: 'form', save, isAutomatic: true })
    saving.open()
    vi.useFakeTimers()
    return { ...saving, kept: () => office.saving.readUnsaved('form')?.values }
  }

  test('tabs with the same form: none discards another’s unsaved changes, and each restores its own', async () => {
    const office = await openOffice('/office', () => null)
    const cut = () => Promise.reject(new Error('cut'))
    let revision = 3
    const tab = (save: () => Promise<unknown>) => {
      const options = { keepAs: 'form', save, revision: () => revision, isAutomatic: true }
      const saving = office.saving.createSaving(options)
      return { ...saving, close: saving.open() }
    }
    const unsaved = () => office.saving.readUnsaved('form')
    vi.useFakeTimers()
    const here = tab(cut)
    const there = tab(async () => {
      revision++
    })
    there.change('there', false)
    here.change('here', true)
    there.change('there!', true)
    await vi.advanceTimersByTimeAsync(1000)
    expect([here.$state.get().phase, there.$state.get().phase]).toEqual(['failed', 'saved'])
    expect(unsaved()).toEqual({ values: 'here', revision: 3 })
    there.change('there?', false)
    expect(unsaved()).toEqual({ values: 'there?', revision: 4 })
    there.discard()
    // The page reloads here.
    dispatchToWindow('pagehide')
    expect(unsaved()).toEqual({ values: 'here', revision: 3 })
    // A form that is open at log-out leaves nothing behind.
    office.session.dropOfficeToken()
    officeStorage.clear()
    dispatchToWindow('pagehide')
    expect([...officeStorage.keys()]).toEqual([])
    here.close()
    there.close()
  })

  test('stores input at once, and saves the latest when typing pauses', async () => {
    const save = vi.fn(async () => {})
    const saving = await aSaving(save)
    saving.change('a', true)
    saving.change('ab', true)
    expect([saving.kept(), save.mock.calls.length]).toEqual(['ab', 0])
    await vi.runAllTimersAsync()
    expect(save.mock.calls).toEqual([['ab']])
    expect([saving.$state.get().phase, saving.kept()]).toEqual(['saved', undefined])
  })

  test('input during a save is saved after it', async () => {
    const first = Promise.withResolvers<void>()
    const save = vi.fn(() => (save.mock.calls.length === 1 ? first.promise : Promise.resolve()))
    const saving = await aSaving(save)
    saving.change('a', true)
    await vi.advanceTimersByTimeAsync(1000)
    saving.change('ab', true)
    first.resolve()
    await vi.runAllTimersAsync()
    expect(save.mock.calls).toEqual([['a'], ['ab']])
    expect(saving.$state.get().phase).toBe('saved')
  })

  test('invalid input is stored and not sent', async () => {
    const save = vi.fn(async () => {})
    const saving = await aSaving(save)
    saving.change('wrong', false)
    await vi.runAllTimersAsync()
    expect([saving.kept(), saving.$state.get().phase]).toEqual(['wrong', 'changed'])
    expect(save).not.toHaveBeenCalled()
  })

  test('retries after a lost connection, at once when it is back; not after a refusal', async () => {
    let fault: Error | null = new Error('cut')
    const save = vi.fn(async () => {
      if (fault) throw fault
    })
    const saving = await aSaving(save)
    saving.change('a', true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(saving.$state.get().phase).toBe('failed')
    fault = null
    dispatchToWindow('online')
    await vi.advanceTimersByTimeAsync(1)
    expect(saving.$state.get().phase).toBe('saved')

    const { ApiError } = await import('../../src/client/api.ts')
    fault = new ApiError(400, { error: 'invalid_input', fields: { title: 'max' } })
    saving.change('b', true)
    await vi.runAllTimersAsync()
    expect(saving.$state.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'invalid_input' },
    })
    expect(saving.kept()).toBe('b')
  })
})
