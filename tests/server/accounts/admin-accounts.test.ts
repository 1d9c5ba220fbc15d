import { describe, expect, test } from 'vitest'
import { acceptInvitation, officeLogIn } from '../../../src/contract/office-access.ts'
import { confirmAct } from '../../../src/contract/office-acts.ts'
import * as office from '../../../src/contract/office-people.ts'
import { asBoth, emailsOf, mailsTo, view } from '../../support/admin/people.ts'
import { testApp } from '../../support/app.ts'
import { callByCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
describe('actions on an account', () => {
  const block = (id: number, as = admin) =>
    app.call(office.blockPerson, { as, params: { id }, body: { reason: 'Insults' } })

  test('blocks it once, in any order, and unblocks it', async () => {
    const { id, email } = await app.aCustomer()
    const { done, refusals } = await asBoth(app, admin, (as) => block(id, as))
    expect(done).toBe(1)
    const body = { done: { by: expect.any(String) } }
    expect(refusals).toMatchObject([{ status: 409, code: 'done_before', body }])
    const blocked = { person: { state: 'blocked' }, blockedReason: 'Insults' }
    expect(await view(app, admin, id)).toMatchObject(blocked)
    expect(await emailsOf(app, admin, { state: 'blocked', q: email })).toEqual([email])
    const unblock = (as: Person) =>
      app.call(office.unblockPerson, { as, params: { id }, body: { reason: 'Sorry' } })
    expect((await asBoth(app, admin, unblock)).done).toBe(1)
    const never = { as: admin, params: { id: (await app.aCustomer()).id }, body: { reason: 'x' } }
    await expectCode(app.call(office.unblockPerson, never), 'account_not_blocked')
  })

  test('never blocks oneself, nor the last administrator', async () => {
    await expectCode(block(admin.id), 'own_account')
    const own = await testApp()
    const [one, two] = [await own.anOfficeAdministrator(), await own.anOfficeAdministrator()]
    const blocks = (as: Person, { id }: Person) =>
      own.call(office.blockPerson, { as, params: { id }, body: { reason: 'x' } })
    // Each blocks the other concurrently: one of them stays.
    const ends = await Promise.allSettled([blocks(one, two), blocks(two, one)])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('ends its sessions, mails a link, removes a second factor; each is in the log', async () => {
    const { id, email, token } = await app.aCustomer()
    const call = { as: admin, params: { id } }
    await app.call(office.sendPasswordLink, call)
    expect(await mailsTo(app, email)).not.toEqual([])
    await app.call(office.endSessionsOf, call)
    const answer = await app.request('POST', '/api/auth/logout', { as: { token } })
    expect(answer.status).toBe(401)
    const reset = { ...call, body: { reason: 'Lost phone' } }
    await expectCode(app.call(office.resetSecondFactorOf, reset), 'no_second_factor')
    await app.kysely
      .insertInto('secondFactors')
      .values({ userId: id, sealedSecret: 'x', lastStep: 0, since: new Date() })
      .execute()
    const { done, refusals } = await asBoth(app, admin, (as) =>
      app.call(office.resetSecondFactorOf, { ...reset, as }),
    )
    expect([done, refusals[0]?.code]).toEqual([1, 'done_before'])
    expect(await logOf(app, `user ${id}`)).toMatchObject([
      { action: 'send password link' },
      { action: 'end sessions' },
      { action: 'reset second factor' },
    ])
    await expectCode(
      app.call(office.endSessionsOf, { as: admin, params: { id: admin.id } }),
      'own_account',
    )
  })

  test('can be run from the command line as well', async () => {
    const { id, email } = await app.aCustomer({ firstName: 'Olfa', lastName: 'Mzoughi' })
    await callByCommand(app, 'endSessionsOf', `id=${id}`)
    await callByCommand(app, 'sendPasswordLink', `id=${id}`)
    const found = await callByCommand(app, 'listPeople', 'q=mzoughi olfa')
    expect(found.content).toMatchObject([{ id, email }])
    const rows = (await callByCommand(app, 'listLog', `q=${email}`, 'kind=deeds')).content
    expect(rows).toMatchObject([
      { action: 'send password link', actor: { name: 'command line' } },
      { action: 'end sessions', actor: { name: 'command line' } },
    ])
  })
})

describe('an invitation', () => {
  const form = { role: 'ADMIN', firstName: 'Rim', lastName: 'Ayari', locale: 'fr' } as const
  const invite = (email: string, role: 'ADMIN' | 'TEACHER' = 'ADMIN') =>
    app.call(office.invitePerson, { as: admin, body: { ...form, role, email, reason: 'help' } })
  /** Invites an administrator, whom a second one confirms. */
  const join = async (email: string) => {
    const { waits } = await invite(email)
    if (waits !== null) {
      const as = await app.anOfficeAdministrator()
      await app.call(confirmAct, { as, key: `join ${email}`, params: { id: waits } })
    }
    const [{ id = 0 } = {}] = await app.kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .execute()
    return id
  }
  const take = (token: string) => {
    const body = { token, firstName: 'Rim', lastName: 'Ayari', password: 'Secret-2026' }
    return app.call(acceptInvitation, { body })
  }
  const tokenIn = async (email: string) => {
    const mail = (await mailsTo(app, email)).at(-1)
    return /invitation\?token=([\w-]+)/.exec(mail?.parts['text/plain'] ?? '')?.[1] ?? ''
  }

  test('is mailed, opens the office once, and is not repeated for somebody who has joined', async () => {
    const email = 'rim@mail.example'
    const id = await join(email)
    expect(await view(app, admin, id)).toMatchObject({
      person: { state: 'invited', role: 'ADMIN' },
      invitedUntil: expect.any(String),
    })
    expect(await emailsOf(app, admin, { state: 'invited' })).toEqual([email])
    const first = await tokenIn(email)
    await app.call(office.inviteAgain, { as: admin, params: { id } })
    const token = await tokenIn(email)
    expect(token).not.toBe(first)
    await expectCode(take(first), 'invalid_invitation')
    await take(token)
    await app.call(officeLogIn, { body: { username: email, password: 'Secret-2026' } })
    await expectCode(app.call(office.inviteAgain, { as: admin, params: { id } }), 'already_joined')
  })

  test('is revoked once, and its address is free again', async () => {
    const email = 'teacher-to-be@mail.example'
    const { id } = await invite(email, 'TEACHER')
    if (id === null) throw new Error('it waits')
    const token = await tokenIn(email)
    const { done, refusals } = await asBoth(app, admin, (as) =>
      app.call(office.withdrawInvitation, { as, params: { id } }),
    )
    expect([done, refusals[0]?.code]).toEqual([1, 'done_before'])
    await expectCode(take(token), 'invalid_invitation')
    await join(email)
    const { email: taken } = await app.aCustomer()
    await expectCode(join(taken), 'email_of_other_role')
    const [invited] = (await callByCommand(app, 'listPeople', `q=${email}`)).content
    await callByCommand(app, 'withdrawInvitation', `id=${invited.id}`)
  })
})
