import '../../kit/summary.css'
import type { Input } from '../../../contract/call.ts'
import type {
  Commissions,
  ShareChange,
  TeacherShare,
} from '../../../contract/office-commissions.ts'
import * as commissions from '../../../contract/office-commissions.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { readRate } from '../../../rules/invoices.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { plainSigns } from '../../../rules/pasted-text.ts'
import { WITHHOLDING_PERCENT_MAX } from '../../../rules/payouts.ts'
import {
  DEFAULT_SHARE_PERCENT,
  SHARE_PERCENT_MAX,
  SHARE_PERCENT_MIN,
} from '../../../rules/shares.ts'
import { ask as call, orReload } from '../../kit/backend.ts'
import { NUMBER } from '../../kit/forms/field-table.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { Moment, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, TableSection } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const all = resource(commissions.getCommissions)

const teacherShares = tableOf(commissions.listTeacherShares)

/** A new share for the whole shop, or for one teacher; `percent` null restores the default. */
interface NewShare {
  readonly teacherId: number | null
  readonly percent: number | null
  readonly reason: string
  /** The id of the latest change that the page showed. */
  readonly seen: number | null
}

/** Sets a share, and reloads those of the teachers; all after an edit conflict. Throws an `ApiError`. */
async function setShare(body: NewShare): Promise<void> {
  all.show(await orReload(call(commissions.setCommission, { body }), refresh))
  teacherShares.refresh()
}

/** Sets what is withheld of a teacher's payouts, in percent, likewise. */
async function setWithholding(
  body: Input<typeof commissions.setWithholding>['body'],
): Promise<void> {
  await orReload(call(commissions.setWithholding, { body }), refresh)
  refresh()
}

function refresh(): void {
  void all.refresh()
  teacherShares.refresh()
}

const { island, useTexts } = adminTexts(
  'office-commissions:commissions',
  'office:table',
  'office:confirm',
)

const OUTLINES = ['line', 'button'] as const

function CommissionsPage() {
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  const { ask, dialog, message } = useQuestions()
  const { askForShare, askForWithholding } = useChanges(ask)
  const state = (show: 'shop' | 'history') => (
    <LoadedStore from={all} texts={texts} shapes={OUTLINES}>
      {({ shop, history }) =>
        show === 'shop' ? (
          <ShopShare
            shop={shop}
            onChange={() => askForShare({ ...shop, teacherId: null, name: texts.whole })}
          />
        ) : (
          <History changes={history} />
        )
      }
    </LoadedStore>
  )
  return (
    <>
      {message}
      {state('shop')}
      <section className="stack">
        <h2>{texts.teachers}</h2>
        <OfficeTable<TeacherShare>
          table={teacherShares}
          rowKey={({ teacherId }) => teacherId}
          texts={texts}
          columns={[
            { head: texts.columns.teacher, cell: ({ name }) => <Words>{name}</Words> },
            {
              head: texts.columns.share,
              isNumber: true,
              cell: ({ percent }) => fillText(rate, { percent }),
            },
            {
              head: texts.columns.shop,
              isNumber: true,
              cell: ({ percent }) => fillText(rate, { percent: 100 - percent }),
            },
            {
              head: texts.columns.kind,
              cell: ({ isSet }) => (
                <StateMark kind={isSet ? 'good' : 'off'} text={isSet ? texts.own : texts.usual} />
              ),
            },
            {
              head: texts.columns.withheld,
              isNumber: true,
              cell: ({ withholding: { percent } }) =>
                percent > 0 ? fillText(rate, { percent }) : '–',
            },
            actsColumn(texts.columns.actions, (share) => [
              {
                text: texts.change,
                label: fillText(texts.changeOf, { name: isolate(share.name) }),
                act: () => askForShare(share),
              },
              {
                text: texts.withhold.open,
                label: fillText(texts.withhold.of, { name: isolate(share.name) }),
                act: () => askForWithholding(share),
              },
            ]),
          ]}
        />
      </section>
      {state('history')}
      {dialog}
    </>
  )
}

interface ShopShareProps {
  shop: Commissions['shop']
  onChange: () => void
}

function ShopShare({ shop: { percent, isSet }, onChange }: ShopShareProps) {
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  return (
    <section className="summary stack items-start gap-2">
      <h2 className="strong">{texts.shop}</h2>
      <p className="summary__amount">{fillText(rate, { percent })}</p>
      <p>
        {fillText(texts.split, { teacher: percent, shop: 100 - percent })}
        {!isSet && <> · {texts.isDefault}</>}
      </p>
      <p className="soft">{texts.text}</p>
      <Button aria-label={fillText(texts.changeOf, { name: texts.whole })} onClick={onChange}>
        {texts.change}
      </Button>
    </section>
  )
}

function History({ changes }: { changes: readonly ShareChange[] }) {
  const actorName = useActorName()
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  const { heads } = texts
  const shareText = ({ percent, teacher }: ShareChange) => {
    if (percent !== null) return fillText(rate, { percent })
    return teacher ? texts.backToUsual : texts.backToDefault
  }
  return (
    <TableSection
      none={texts.noHistory}
      label={texts.history}
      rows={changes}
      columns={[
        {
          head: heads.who,
          cell: ({ teacher }) => (teacher ? <Words>{teacher.name}</Words> : texts.whole),
        },
        { head: heads.share, isNumber: true, cell: shareText },
        {
          head: heads.reason,
          isWide: true,
          cell: ({ reason }) => (reason ? <Words>{reason}</Words> : '–'),
        },
        {
          head: heads.by,
          cell: ({ by }) => <Words>{actorName(by)}</Words>,
        },
        { head: heads.at, cell: ({ at }) => <Moment at={at} withTime /> },
      ]}
    />
  )
}

/** A share as the page showed it; the whole shop's share if `teacherId` is null. */
interface ShownShare {
  teacherId: number | null
  name: string
  percent: number
  isSet: boolean
  seen: number | null
}

/** Returns the functions that ask for another share, and for what is withheld. */
function useChanges(ask: ReturnType<typeof useQuestions>['ask']) {
  const { dialog, mistakes, withhold } = useTexts('office-commissions:commissions')
  const reason = useReason()(STAFF_REASON_MAX_LENGTH)
  return {
    askForShare({ teacherId, name, percent, isSet, seen }: ShownShare) {
      const isShop = teacherId === null
      const usual = isShop
        ? fillText(dialog.toDefault, { percent: DEFAULT_SHARE_PERCENT })
        : dialog.toUsual
      ask({
        title: isShop ? dialog.shop : fillText(dialog.teacher, { name: isolate(name) }),
        submit: dialog.submit,
        text: isShop ? dialog.shopText : dialog.teacherText,
        fields: [
          {
            name: 'kind',
            label: dialog.kind,
            options: [
              { value: 'own', text: dialog.own },
              { value: 'usual', text: usual },
            ],
            isShown: () => isSet,
          },
          {
            ...NUMBER,
            name: 'percent',
            label: dialog.percent,
            inputMode: 'numeric',
            initial: String(percent),
            hintFor: (text) => {
              const chosen = readPercent(text)
              return fillText(dialog.hint, { shop: chosen === null ? '–' : 100 - chosen })
            },
            isShown: ({ kind }) => kind === 'own',
            check: (text) =>
              readPercent(text) === null &&
              fillText(mistakes.percent, { least: SHARE_PERCENT_MIN, most: SHARE_PERCENT_MAX }),
          },
          reason,
        ],
        send: async (given) => {
          const share = given.kind === 'usual' ? null : readPercent(given.percent)
          await setShare({ teacherId, percent: share, reason: given.reason, seen })
          return dialog.done
        },
      })
    },
    askForWithholding({ teacherId, name, withholding: { percent, seen } }: TeacherShare) {
      ask({
        title: fillText(withhold.title, { name: isolate(name) }),
        submit: withhold.submit,
        text: withhold.text,
        fields: [
          {
            ...NUMBER,
            name: 'percent',
            label: withhold.percent,
            hint: withhold.hint,
            initial: String(percent),
            check: (text) =>
              readRate(text, WITHHOLDING_PERCENT_MAX) === null &&
              fillText(withhold.mistake, { most: WITHHOLDING_PERCENT_MAX }),
          },
          reason,
        ],
        send: async (given) => {
          const withholding = Number(readRate(given.percent, WITHHOLDING_PERCENT_MAX))
          await setWithholding({ teacherId, withholding, reason: given.reason, seen })
          return withhold.done
        },
      })
    },
  }
}

/** Parses a typed whole percentage; null if it is invalid or out of range. */
function readPercent(input: string): number | null {
  const text = plainSigns(input)
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return percent >= SHARE_PERCENT_MIN && percent <= SHARE_PERCENT_MAX ? percent : null
}

export default island(CommissionsPage)
