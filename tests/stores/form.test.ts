import { describe, expect, test } from 'vitest'
import { createForm } from '../../src/stores/shared/form.ts'

type Field = 'name' | 'email'

const aForm = () =>
  createForm<Field, 'required' | 'taken', string>(['name', 'email'], (values) => ({
    ...(values.name === '' && { name: 'required' }),
    ...(values.email === '' && { email: 'required' }),
  }))

const right = { name: 'Sonia', email: 'sonia@example.com' }

describe('a form', () => {
  test('shows an error once its field was left, until it is corrected', () => {
    const form = aForm()
    expect(form.$state.get()).toMatchObject({ mistakes: {}, isRight: false })
    form.leave('email')
    expect(form.$state.get()).toMatchObject({
      mistakes: { email: 'required' },
      firstWrong: 'email',
    })
    form.enter(right)
    expect(form.$state.get()).toMatchObject({ mistakes: {}, isRight: true })
  })

  test('submitted with errors shows them all, and sends nothing', async () => {
    const form = aForm()
    await form.submit(() => Promise.reject(new Error('sent')))
    const { mistakes, firstWrong, isBusy } = form.$state.get()
    expect({ mistakes, firstWrong, isBusy }).toEqual({
      mistakes: { name: 'required', email: 'required' },
      firstWrong: 'name',
      isBusy: false,
    })
  })

  test('is sent once, however often it is submitted meanwhile, and again after that', async () => {
    const form = aForm()
    form.enter(right)
    const answer = Promise.withResolvers<'done'>()
    let calls = 0
    const send = () => {
      calls += 1
      return answer.promise
    }
    const first = form.submit(send)
    await form.submit(send)
    expect([calls, form.$state.get().isBusy]).toEqual([1, true])
    answer.resolve('done')
    await first
    await form.submit(send)
    expect([calls, form.$state.get().isBusy]).toEqual([2, false])
  })

  test('shows the server’s errors until it is submitted again', async () => {
    const form = aForm()
    form.enter(right)
    await form.submit(async () => ({ problem: 'refused', mistakes: { email: 'taken' } }))
    expect(form.$state.get()).toMatchObject({
      problem: 'refused',
      mistakes: { email: 'taken' },
      firstWrong: 'email',
      isBusy: false,
    })
    await form.submit(async () => 'done')
    expect(form.$state.get()).toMatchObject({ problem: null, mistakes: {} })
  })

  test('stays busy while navigating away', async () => {
    const form = aForm()
    form.enter(right)
    await form.submit(async () => 'leaving')
    expect(form.$state.get().isBusy).toBe(true)
  })
})
