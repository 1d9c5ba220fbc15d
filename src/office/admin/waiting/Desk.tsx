import './desk.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Result } from '../../../contract/call.ts'
import type { WaitingGroup, WaitingItem, WaitingKind } from '../../../contract/office-desk.ts'
import * as officeWaiting from '../../../contract/office-desk.ts'
import { fillText, isolate, pluralText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { relativeText } from '../../../i18n/relative.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { Price } from '../../../islands/parts/Price.tsx'
import { EmptyState, LoadState } from '../../../islands/parts/States.tsx'
import { DAY_MS, MINUTE_MS } from '../../../rules/durations.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import { type OpeningStep, TREND_DAYS } from '../../../rules/upkeep.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { ask } from '../../kit/backend.ts'
import { momentText } from '../../kit/dates.ts'
import { resource } from '../../kit/loader.ts'
import { Trend } from '../../kit/Trend.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { MailNote } from '../notices/MailNote.tsx'

const { $state: $desk, load: loadDesk, refresh: refreshDesk } = resource(officeWaiting.getWaiting)

/**
 * Loads the tasks, then reloads them every minute while the page is visible; returns a stop
 * function.
 */
function watchDesk(): () => void {
  void loadDesk()
  const refresh = () => {
    if (document.visibilityState === 'visible') void refreshDesk()
  }
  const timer = setInterval(refresh, MINUTE_MS)
  document.addEventListener('visibilitychange', refresh)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
  }
}

async function sendMailsAgain(): Promise<void> {
  await ask(officeWaiting.sendMailsAgain, {})
  await refreshDesk()
}

const LINES = ['button', 'line', 'button', 'line', 'button', 'line'] as const

export function Desk() {
  const texts = useTexts('office-waiting:page')
  const desk = useStore($desk, { ssr: notLoaded })
  useEffect(watchDesk, [])
  return (
    <LoadState
      state={desk}
      loading={{ text: texts.loading, shapes: LINES }}
      failed={texts.failed}
      onRetry={loadDesk}
    >
      {(value) => (
        <>
          <MailNote />
          {value.opening.length > 0 && (
            <Opening steps={value.opening} backupCommand={value.backupCommand} />
          )}
          {value.groups.length > 0 && (
            <ol className="desk">
              {value.groups.map((group) => (
                <Group
                  key={group.kind}
                  group={group}
                  readAt={value.readAt}
                  officeCommand={value.officeCommand}
                  backupCommand={value.backupCommand}
                />
              ))}
            </ol>
          )}
          {value.groups.length + value.opening.length === 0 && <EmptyState {...texts.nothing} />}
          <Standing desk={value} />
        </>
      )}
    </LoadState>
  )
}

function Standing({ desk }: { desk: Result<typeof officeWaiting.getWaiting> }) {
  const { readAt, opening, backupAt, ledgerAt, restoredFrom } = desk
  const locale = useLocale()
  const texts = useTexts('office-waiting:page')
  const withTime = (text: string, moment: string) =>
    fillText(text, { at: isolate(momentText(locale, moment)) })
  return (
    <footer className="desk-foot soft small">
      <p className="cluster split gap-4 lines-0">
        <span>{withTime(texts.read, readAt)}</span>
        <Button kind="plain" onClick={refreshDesk}>
          <Icon name="refresh" /> {texts.refresh}
        </Button>
      </p>
      <ul className="cluster items-stretch gap-5 lines-1">
        {backupAt && <li>{withTime(texts.backupAt, backupAt)}</li>}
        {!backupAt && !opening.includes('backup') && <li>{texts.noBackup}</li>}
        {restoredFrom && <li>{withTime(texts.restoredFrom, restoredFrom)}</li>}
        <li>{ledgerAt ? withTime(texts.ledgerAt, ledgerAt) : texts.noLedger}</li>
      </ul>
    </footer>
  )
}

/** Where each step is done: a page of the office or, on the server, a setting or a command. */
const WAYS: Readonly<Record<OpeningStep, { page: PageAddress } | { setting: string } | 'backup'>> =
  {
    name: { page: '/office/facts#brand' },
    contact: { page: '/office/facts#contact' },
    account: { page: '/office/facts#bank' },
    topUps: { page: '/office/facts#d17' },
    legal: { page: '/office/facts#legal' },
    mail: { setting: 'SMTP_URL=smtp://…' },
    pages: { page: '/office/site-pages' },
    team: { page: '/office/site-page?name=team' },
    community: { page: '/office/facts#community' },
    document: { page: '/office/people' },
    backup: 'backup',
  }

interface OpeningProps {
  steps: readonly OpeningStep[]
  /** The command that backs the shop up, as it runs on the server. */
  backupCommand: string
}

/** What is left to do before the first sale; a step that is done is gone. */
export function Opening({ steps, backupCommand }: OpeningProps) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:opening')
  return (
    <section className="opening stack" aria-labelledby="opening">
      <h2 id="opening">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      <ol className="desk">
        {steps.map((step) => {
          const way = WAYS[step]
          const page = way !== 'backup' && 'page' in way ? way.page : null
          const { title, text } = texts.steps[step]
          return (
            <li className="desk__kind" key={step}>
              <span className="desk__count" aria-hidden="true">
                ○
              </span>
              <div className="desk__what">
                <h3>{page ? <a href={pathIn(locale, page)}>{title}</a> : title}</h3>
                <p className="soft small">{text}</p>
                {!page && (
                  <div className="desk__advice stack items-start gap-1">
                    <code dir="ltr">
                      {way === 'backup' ? backupCommand : 'setting' in way && way.setting}
                    </code>
                  </div>
                )}
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** A task that has waited longer than this (ms) is late. */
const LATE_MS = 2 * DAY_MS

interface GroupProps {
  group: WaitingGroup
  /** The time of the data, from which ages are counted. */
  readAt: string
  /** How the operator calls the command line on the server. */
  officeCommand: string
  backupCommand: string
}

/** All tasks of a kind: a sentence that links to their page, and the oldest tasks by name. */
export function Group({ group, readAt, officeCommand, backupCommand }: GroupProps) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:page')
  const { kind, count, since, items, trend, reason } = group
  const now = Date.parse(readAt)
  const ageText = (moment: string) => relativeText(locale, moment, now, texts.now)
  const href = addressOf(locale, kind)
  const sentence =
    kind in texts.waits
      ? texts.waits[kind as keyof typeof texts.waits]
      : pluralText(locale, texts.kinds, kind, count)
  const isLate = now - Date.parse(since) > LATE_MS
  return (
    <li className="desk__kind">
      <span className={isLate ? 'desk__count desk__count--late' : 'desk__count'} aria-hidden="true">
        {items.length > 0 ? count : '!'}
      </span>
      <div className="desk__what">
        <h2>{href ? <a href={href}>{sentence}</a> : sentence}</h2>
        <p className="soft small">
          {items.length > 0 ? fillText(texts.oldest, { when: ageText(since) }) : ageText(since)}
          {/* Without the space, Arabic letters would join across the two elements. */ ' '}
          {isLate && <strong className="desk__late strong">{texts.late}</strong>}
        </p>
        {trend && <Trend {...trend}>{fillText(texts.trend, { ...trend, days: TREND_DAYS })}</Trend>}
        {items.length > 0 && (
          <ul className="desk__items">
            {items.map((item) => (
              <li key={item.id}>
                <Item group={group} item={item} when={ageText(item.since)} />
              </li>
            ))}
            {count > items.length && (
              <li className="soft small desk__more">
                {fillText(texts.more, { count: count - items.length })}
              </li>
            )}
          </ul>
        )}
        {reason && (
          <p className="desk__reason along" dir="auto">
            {reason}
          </p>
        )}
        {kind === 'mails' && <SendMails />}
        {(!href || reason) && (
          <Advice kind={kind} officeCommand={officeCommand} backupCommand={backupCommand} />
        )}
      </div>
    </li>
  )
}

function Item({ group, item, when }: { group: WaitingGroup; item: WaitingItem; when: string }) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:page')
  const { name, amount } = item
  const nameIn = (names: Readonly<Record<string, string>>) =>
    Object.hasOwn(names, name) ? names[name] : names.other
  const nameTexts = { mails: texts.mails, turns: texts.turns }[group.kind as 'mails' | 'turns']
  const href = addressOf(locale, group.kind, item)
  const what = (
    <>
      <span className="desk__name along" dir="auto">
        {nameTexts ? nameIn(nameTexts) : name}
      </span>
      {amount !== undefined && <Price amount={amount} className="strong" />}
      <span className="soft small desk__when">{when}</span>
    </>
  )
  return href ? (
    <a className="cluster gap-3 lines-0 touch" href={href}>
      {what}
    </a>
  ) : (
    <span className="desk__plain cluster gap-3 lines-0 touch">{what}</span>
  )
}

type AdviceProps = Pick<GroupProps, 'officeCommand' | 'backupCommand'> & {
  kind: WaitingGroup['kind']
}

function Advice({ kind, officeCommand, backupCommand }: AdviceProps) {
  const texts = useTexts('office-waiting:page')
  const advice: Readonly<Record<string, string>> = texts.advice
  const commands = [
    ...(kind === 'backup' ? [backupCommand] : []),
    ...(COMMANDS[kind] ?? []).map((command) => `${officeCommand} ${command}`),
  ]
  return (
    <div className="desk__advice stack items-start gap-1">
      {advice[kind] && <p>{advice[kind]}</p>}
      {commands.length > 0 && (
        <>
          <p className="soft small">{texts.command}</p>
          {commands.map((command) => (
            <code dir="ltr" key={command}>
              {command}
            </code>
          ))}
        </>
      )}
    </div>
  )
}

function SendMails() {
  const texts = useTexts('office-waiting:page')
  const { alert, attempt, isBusy } = useAction()
  const [isSent, setSent] = useState(false)
  const send = () =>
    attempt(async () => {
      setSent(false)
      await sendMailsAgain()
      setSent(true)
    })
  return (
    <>
      {alert}
      <p>
        <Button isBusy={isBusy} onClick={send}>
          {texts.sendAgain}
        </Button>
      </p>
      <p role="status" className="soft small">
        {isSent && texts.sent}
      </p>
    </>
  )
}

/** The page for each kind of task, and the address of a single task if it has one. */
const PAGES: Readonly<
  Partial<Record<WaitingKind, { page: PageAddress; single?: (item: WaitingItem) => PageAddress }>>
> = {
  documents: { page: '/office/review', single: ({ id }) => `/office/review-document?id=${id}` },
  reports: { page: '/office/reports', single: ({ id }) => `/office/report?id=${id}` },
  joining: { page: '/office/join-requests' },
  transfers: {
    page: '/office/transfers',
    single: ({ id }) => `/office/transfers?q=${shownReference(id)}`,
  },
  differences: { page: '/office/transfers' },
  acts: { page: '/office/acts' },
  payouts: { page: '/office/teacher-payouts' },
  returns: { page: '/office/people', single: ({ id }) => `/office/person?id=${id}` },
  bundles: { page: '/office/shared-bundles' },
  mail: { page: '/office/notices' },
  calendar: { page: '/office/calendar' },
  conversations: {
    page: '/office/conversations',
    single: ({ id }) => `/office/conversations?room=${id}`,
  },
}

/** The commands for each kind of task that has no page. */
export const COMMANDS: Readonly<Partial<Record<WaitingKind, readonly string[]>>> = {
  transfers: ['call listTransfers'],
  payouts: ['call listTeacherPayouts'],
  mails: ['mails'],
  backup: ['backup note'],
  ledger: ['ledger check'],
}

export function addressOf(
  locale: Locale,
  kind: WaitingKind,
  item?: WaitingItem,
): string | undefined {
  const entry = PAGES[kind]
  return entry && pathIn(locale, item && entry.single ? entry.single(item) : entry.page)
}
