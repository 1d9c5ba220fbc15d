import './codes.css'
import { useState } from 'react'
import type { OwnCode } from '../../contract/office-discount-codes.ts'
import { listClasses } from '../../contract/references.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, limitText, percentText } from '../../i18n/format.ts'
import { labelled, listed } from '../../i18n/listed.ts'
import { pathIn } from '../../i18n/paths.ts'
import { CopyButton } from '../../islands/parts/CopyButton.tsx'
import { Dialog } from '../../islands/parts/Dialog.tsx'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { ShareWays } from '../../islands/parts/ShareWays.tsx'
import { nameIn } from '../../rules/catalogue-names.ts'
import type { Question } from '../kit/forms/questions.tsx'
import { useLoaded } from '../kit/loaded-store.tsx'
import { resource } from '../kit/loader.ts'
import { Reference, StateMark, Words } from '../kit/tables/cells.tsx'
import { actsColumn, type Column, moneyColumn } from '../kit/tables/ShortTable.tsx'

const MARKS = { coming: 'waiting', running: 'good', used_up: 'off', ended: 'off' } as const

/** For their names in the reader's language. */
const classes = resource(listClasses)

/** How many documents, classes or teachers a row names. */
const TARGETS_NAMED = 3

interface Options {
  ask: (question: Question) => void
  /** Ends a code, and shows it. */
  stop: (code: OwnCode) => Promise<void>
  /** Whose code it is, where the list has several. */
  giverOf?: (code: OwnCode) => string
  /** Says which page the link opens. */
  passOnText: string
}

/** The columns of a list of codes, and the dialog by which one is passed on. */
export function useCodeColumns({ ask, stop, giverOf, passOnText }: Options) {
  const locale = useLocale()
  const texts = useTexts('office-codes:list')
  const offOf = useOff()
  const [passedOn, setPassedOn] = useState<OwnCode | null>(null)
  const named = (text: string, { code }: OwnCode) => fillText(text, { code: isolate(code) })
  const askToStop = (code: OwnCode) =>
    ask({
      title: named(texts.stop.title, code),
      submit: texts.stop.submit,
      text: texts.stop.text,
      isDanger: true,
      send: async () => {
        await stop(code)
        return texts.stop.done
      },
    })
  const classNames = useTexts('catalogue:niveaux')
  const known = useLoaded(classes) ?? []
  const targetsOf = ({ scope: { kind, targets } }: OwnCode) => {
    if (kind === 'all') return texts.forAll
    const names = targets.slice(0, TARGETS_NAMED).map(({ id, name }) => {
      const named = kind === 'classes' && known.find((each) => each.id === id)
      return isolate(named ? nameIn(locale, named, classNames) : name)
    })
    const rest = targets.length - names.length
    return `${listed(locale, names)}${rest > 0 ? ` ${isolate(`+${rest}`)}` : ''}`
  }
  const periodOf = ({ startsAt, endsAt }: OwnCode) => {
    const from = formatDate(locale, startsAt)
    // It ends as the next day begins.
    const to = endsAt && formatDate(locale, new Date(Date.parse(endsAt) - 1).toISOString())
    return to ? fillText(texts.closed, { from, to }) : fillText(texts.open, { from })
  }
  const columns: readonly Column<OwnCode>[] = [
    {
      head: texts.columns.code,
      cell: (code) => (
        <span className="stack items-start gap-0">
          <Reference>{code.code}</Reference>
          {giverOf && <span className="soft small">{giverOf(code)}</span>}
        </span>
      ),
    },
    {
      head: texts.columns.off,
      isWide: true,
      cell: (code) => (
        <span className="stack items-start gap-0">
          {offOf(code)}
          <span className="soft small">
            <Words>{targetsOf(code)}</Words>
          </span>
          <span className="soft small">{periodOf(code)}</span>
          {code.leastTotal !== null && (
            <span className="soft small">
              {fillText(texts.least, { amount: limitText(locale, code.leastTotal) })}
            </span>
          )}
        </span>
      ),
    },
    {
      head: texts.columns.uses,
      cell: ({ uses, usesMax, usesPerPerson }) => (
        <span className="stack items-start gap-0">
          {usesMax === null ? uses : fillText(texts.usesOf, { uses, most: usesMax })}
          {usesPerPerson !== null && (
            <span className="soft small">{fillText(texts.each, { most: usesPerPerson })}</span>
          )}
        </span>
      ),
    },
    moneyColumn(texts.columns.paid, ({ paid }) => paid),
    moneyColumn(texts.columns.takenOff, ({ takenOff }) => takenOff),
    {
      head: texts.columns.state,
      cell: ({ state }) => <StateMark kind={MARKS[state]} text={texts.states[state]} />,
    },
    actsColumn(texts.columns.acts, (code) => {
      if (code.state === 'ended') return []
      const label = (text: string) => labelled(locale, text, isolate(code.code))
      return [
        {
          text: texts.passOn.act,
          label: label(texts.passOn.act),
          act: () => setPassedOn(code),
        },
        { text: texts.stop.act, label: label(texts.stop.act), act: () => askToStop(code) },
      ]
    }),
  ]
  return {
    columns,
    passOnDialog: passedOn && (
      <PassOn code={passedOn} text={passOnText} onClose={() => setPassedOn(null)} />
    ),
  }
}

/** Returns a function that says what a code takes off. */
function useOff(): (code: OwnCode) => string {
  const locale = useLocale()
  const texts = useTexts('office-codes:list')
  return ({ percent, atMost, amount }) => {
    if (percent === null) return fillText(texts.anOrder, { amount: limitText(locale, amount ?? 0) })
    const part = isolate(percentText(locale, percent))
    if (atMost === null) return part
    return fillText(texts.atMost, { percent: part, amount: limitText(locale, atMost) })
  }
}

interface PassOnProps {
  code: OwnCode
  text: string
  onClose: () => void
}

/** The link that brings a code along: to its teacher's page, or to the shop. */
function PassOn({ code, text, onClose }: PassOnProps) {
  const locale = useLocale()
  const { passOn: texts } = useTexts('office-codes:list')
  const ways = useTexts('share:ways')
  const offOf = useOff()
  const page = code.teacher ? (`/teacher-details/${code.teacher.id}` as const) : '/shop'
  const url = new URL(pathIn(locale, `${page}?code=${code.code}`), location.origin).href
  const named = { code: isolate(code.code) }
  return (
    <Dialog title={fillText(texts.title, named)} closeText={texts.close} onClose={onClose}>
      <div className="stack">
        <p>{text}</p>
        <p>
          <bdi dir="ltr">{url}</bdi>
        </p>
        <p className="cluster">
          <CopyButton text={url} label={ways.copy} copied={ways.copied} />
          <ShareWays text={fillText(texts.message, { ...named, off: offOf(code) })} url={url} />
        </p>
      </div>
    </Dialog>
  )
}
