import type { Notices } from '../../contract/office-desk.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../rules/upkeep.ts'
import type { Deps } from '../deps.ts'
import { readMailState } from '../mail/mail.ts'
import { changeSetting, readSetting, settingHistory } from '../money/money.ts'
import { actorNames } from '../staff-log/staff-log.ts'

const settingOf = (kind: NoticeKind) => `notice_${kind}` as const

/** The notices that are switched on. */
export async function noticesOn({ database }: Pick<Deps, 'database'>): Promise<NoticeKind[]> {
  const on: NoticeKind[] = []
  for (const kind of NOTICE_KINDS) {
    if ((await readSetting(database.kysely, settingOf(kind))) === 1) on.push(kind)
  }
  return on
}

/**
 * Switches a notice on or off for all administrators. Throws `done_before` if it was switched after
 * the change `seen`; callers that show no change leave that out.
 */
export function switchNotice(
  deps: Pick<Deps, 'database' | 'now'>,
  {
    kind,
    isOn,
    ...change
  }: { kind: NoticeKind; isOn: boolean; actor: string; seen?: number | null },
): Promise<void> {
  return changeSetting(deps, { name: settingOf(kind), value: isOn ? 1 : 0, ...change })
}

/** All notices with who switched them last and when they were sent, and the state of mail. */
export async function readNotices(
  deps: Pick<Deps, 'database' | 'jobs' | 'mail'>,
): Promise<Notices> {
  const { kysely } = deps.database
  const on = await noticesOn(deps)
  const told = await kysely.selectFrom('toldNotices').select(['kind', 'toldAt']).execute()
  const notices: Notices['notices'] = []
  for (const kind of NOTICE_KINDS) {
    const [last] = await settingHistory(kysely, settingOf(kind))
    const names = await actorNames(kysely, last ? [last.actor] : [])
    notices.push({
      kind,
      isOn: on.includes(kind),
      toldAt: told.find((each) => each.kind === kind)?.toldAt.toISOString() ?? null,
      changed: last
        ? { by: names.get(last.actor) ?? last.actor, at: last.setAt.toISOString() }
        : null,
      seen: last?.id ?? null,
    })
  }
  return { mail: await readMailState(deps), notices }
}
