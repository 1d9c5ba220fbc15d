import type { WaitingGroup, WaitingItem } from '../../../contract/office-desk.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { relativeText } from '../../../i18n/relative.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Price } from '../../parts/Price.tsx'
import { SendMails } from './SendMails.tsx'
import { addressOf, COMMANDS } from './ways.ts'

/** A task that has waited longer than this (ms) is late. */
const LATE_MS = 2 * DAY_MS

interface Props {
  group: WaitingGroup
  /** The time of the data, from which ages are counted. */
  readAt: string
  /** How the operator calls the command line on the server. */
  officeCommand: string
}

/** All tasks of a kind: a sentence that links to their page, and the oldest tasks by name. */
export function Group({ group, readAt, officeCommand }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:page')
  const { kind, count, since, items, reason } = group
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
          {isLate && <strong className="desk__late">{texts.late}</strong>}
        </p>
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
          <p className="desk__reason" dir="auto">
            {reason}
          </p>
        )}
        {kind === 'mails' && <SendMails />}
        {(!href || reason) && <Advice kind={kind} officeCommand={officeCommand} />}
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
      {amount !== undefined && <Price amount={amount} className="desk__amount" />}
      <span className="soft small desk__when">{when}</span>
    </>
  )
  return href ? <a href={href}>{what}</a> : <span className="desk__plain">{what}</span>
}

/** Advice and commands for tasks without a page. */
function Advice({ kind, officeCommand }: { kind: WaitingGroup['kind']; officeCommand: string }) {
  const texts = useTexts('office-waiting:page')
  const advice: Readonly<Record<string, string>> = texts.advice
  const commands = COMMANDS[kind] ?? []
  return (
    <div className="desk__advice">
      {advice[kind] && <p>{advice[kind]}</p>}
      {commands.length > 0 && (
        <>
          <p className="soft small">{texts.command}</p>
          {commands.map((command) => (
            <code dir="ltr" key={command}>
              {officeCommand} {command}
            </code>
          ))}
        </>
      )}
    </div>
  )
}
