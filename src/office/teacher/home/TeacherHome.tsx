import './teacher-home.css'
import { useStore } from '@nanostores/react'
import * as earnings from '../../../contract/earnings.ts'
import * as officeDocuments from '../../../contract/office-documents.ts'
import * as officeRatings from '../../../contract/office-ratings.ts'
import { listAskedBundles } from '../../../contract/office-shared-bundles.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import { fillText, pluralText, priceText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { TextsAt } from '../../../i18n/texts.ts'
import { ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { EmptyState } from '../../../islands/parts/States.tsx'
import type { DocumentState } from '../../../rules/document-life.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import { TREND_DAYS } from '../../../rules/upkeep.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { $staff, type Staff } from '../../frame/staff.ts'
import { ask } from '../../kit/backend.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resourceBy } from '../../kit/loader.ts'
import { Trend } from '../../kit/Trend.tsx'

/** Tasks that wait for a teacher, or for the shop on the teacher's behalf. */
interface Waiting {
  /** How many of the teacher's documents are in each state. */
  documents: Readonly<Partial<Record<DocumentState, number>>>
  /** How many ratings await an answer. */
  ratings: number
  /** How many bundles with documents of others await an answer. */
  bundles: number
  /** The amount that the teacher can request now; 0 below the minimum of a payout. */
  payable: Millimes
  /** The amount that was requested but not paid yet. */
  requested: Millimes
  /** Whether the teacher's public page has no text yet. */
  isPageEmpty: boolean
  /** What the sales of the last days earned (`TREND_DAYS`), and those of as many days before. */
  earned: { now: number; before: number }
}

const waiting = resourceBy('what waits', async (): Promise<Waiting> => {
  const [{ states }, { awaiting }, sums, { bio }, { points }, asked] = await Promise.all([
    ask(officeDocuments.listOwnDocuments, { query: { size: 1 } }),
    ask(officeRatings.listReceivedRatings, { query: { size: 1 } }),
    ask(earnings.getEarnings, {}),
    ask(teacherProfile.getOwnProfile, {}),
    ask(earnings.getEarningsSeries, { query: {} }),
    ask(listAskedBundles, { query: { size: 1 } }),
  ])
  const { available, requested, terms } = sums
  const earnedIn = (days: typeof points) =>
    days.reduce((sum, { share, refunded }) => sum + share - refunded, 0)
  const isPayable = available >= terms.payoutMinimum
  return {
    documents: states,
    ratings: awaiting,
    bundles: asked.awaiting,
    payable: isPayable ? available : 0,
    requested,
    isPageEmpty: bio === '',
    earned: {
      now: earnedIn(points.slice(-TREND_DAYS)),
      before: earnedIn(points.slice(-2 * TREND_DAYS, -TREND_DAYS)),
    },
  }
})

const LINES = ['button', 'button', 'button'] as const

export function TeacherHome() {
  const locale = useLocale()
  const texts = useTexts('office:home')
  const staff = useStore($staff, { ssr: notLoaded })
  return (
    <LoadedStore from={waiting} texts={texts} shapes={LINES}>
      {(value) => {
        const known = staff.phase === 'ready' ? staff.value : null
        const { mine, ours } = linesOf({ waiting: value, staff: known, locale, texts: texts.lines })
        return (
          <>
            {mine.length > 0 ? (
              <Lines title={texts.mine} lines={mine} />
            ) : (
              <EmptyState title={texts.nothing.title} text={texts.nothing.text}>
                <ButtonLink kind="primary" to="/office/documents/new">
                  {texts.nothing.add}
                </ButtonLink>
              </EmptyState>
            )}
            {ours.length > 0 && <Lines title={texts.ours} lines={ours} isQuiet />}
            <Earned {...value.earned} />
          </>
        )
      }}
    </LoadedStore>
  )
}

function Earned({ now, before }: Waiting['earned']) {
  const locale = useLocale()
  const { earned } = useTexts('office:home')
  if (now === 0 && before === 0) return null
  const amounts = { now: priceText(locale, now), before: priceText(locale, before) }
  return (
    <Trend now={now} before={before}>
      <a href={pathIn(locale, '/office/earnings')}>
        {fillText(earned, { ...amounts, days: TREND_DAYS })}
      </a>
    </Trend>
  )
}

const MARKS: Readonly<Record<Line['kind'], string>> = {
  secondFactor: '!',
  returned: '↩',
  payable: '+',
  ratings: '★',
  bundles: '?',
  draft: '✎',
  profile: '✎',
  submitted: '…',
  first: '+',
  approval: '…',
  requested: '…',
}

interface LinesProps {
  title: string
  lines: readonly Line[]
  /** Whether the lines need no action from the teacher. */
  isQuiet?: boolean
}

function Lines({ title, lines, isQuiet }: LinesProps) {
  return (
    <section className="stack">
      <h2>{title}</h2>
      <ul className={isQuiet ? 'waits waits--quiet' : 'waits'}>
        {lines.map(({ kind, text, href }) => (
          <li className="waits__line" key={kind}>
            <span className="waits__mark strong" aria-hidden="true">
              {MARKS[kind]}
            </span>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A task in words, with a link to the page for it. */
export interface Line {
  kind:
    | 'returned'
    | 'draft'
    | 'submitted'
    | 'ratings'
    | 'bundles'
    | 'payable'
    | 'requested'
    | 'profile'
    | 'secondFactor'
    | 'first'
    | 'approval'
  text: string
  href: string
}

interface LinesInput {
  waiting: Waiting
  staff: Staff | null
  locale: Locale
  texts: TextsAt<'office:home.lines'>
}

/** The tasks of the teacher (`mine`), the most urgent first, and those of the shop (`ours`). */
export function linesOf({ waiting, staff, locale, texts }: LinesInput): {
  mine: Line[]
  ours: Line[]
} {
  const { documents, ratings, bundles, payable, requested, isPageEmpty } = waiting
  const address = (path: PageAddress) => pathIn(locale, path)
  const countLine = (
    kind: 'returned' | 'draft' | 'submitted' | 'ratings' | 'bundles',
    count: number,
    href: string,
  ): Line[] => (count === 0 ? [] : [{ kind, text: pluralText(locale, texts, kind, count), href }])
  const stateLine = (state: 'returned' | 'draft' | 'submitted') =>
    countLine(state, documents[state] ?? 0, address(`/office/documents?state=${state}`))
  const amountLine = (kind: 'payable' | 'requested', millimes: number): Line[] => {
    const text = fillText(texts[kind], { amount: priceText(locale, millimes) })
    return millimes > 0 ? [{ kind, text, href: address('/office/payouts') }] : []
  }
  const secondFactor: Line[] = staff?.lacksSecondFactor
    ? [{ kind: 'secondFactor', text: texts.secondFactor, href: address('/office/security') }]
    : []
  const profile: Line[] = isPageEmpty
    ? [{ kind: 'profile', text: texts.profile, href: address('/office/profile') }]
    : []
  const isUnapproved = staff?.isApproved === false
  const hasNone = Object.values(documents).every((count) => count === 0)
  const first: Line[] =
    isUnapproved && hasNone
      ? [{ kind: 'first', text: texts.first, href: address('/office/many') }]
      : []
  const approval: Line[] = isUnapproved
    ? [{ kind: 'approval', text: texts.approval, href: address('/office/payouts') }]
    : []
  return {
    mine: [
      ...secondFactor,
      ...first,
      ...stateLine('returned'),
      ...amountLine('payable', isUnapproved ? 0 : payable),
      ...countLine('bundles', bundles, address('/office/bundles')),
      ...countLine('ratings', ratings, address('/office/ratings?awaits=answer')),
      ...stateLine('draft'),
      ...profile,
    ],
    ours: [...approval, ...stateLine('submitted'), ...amountLine('requested', requested)],
  }
}
