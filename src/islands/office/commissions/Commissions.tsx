import '../earnings/summary.css'
import { useState } from 'react'
import type {
  Commissions,
  ShareChange,
  TeacherShare,
} from '../../../contract/office-commissions.ts'
import { fillText } from '../../../i18n/format.ts'
import { readRate } from '../../../rules/invoices.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { plainSigns } from '../../../rules/pasted-text.ts'
import { WITHHOLDING_PERCENT_MAX } from '../../../rules/payouts.ts'
import {
  DEFAULT_SHARE_PERCENT,
  SHARE_PERCENT_MAX,
  SHARE_PERCENT_MIN,
} from '../../../rules/shares.ts'
import {
  $commissions,
  loadCommissions,
  setShare,
  setWithholding,
  teacherShares,
} from '../../../stores/office/commissions.ts'
import { Field } from '../../parts/Field.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmDialog, useReason } from '../parts/ConfirmDialog.tsx'
import { Moment, StateMark, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { LoadedStore } from '../parts/loaded-store.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts, useActorName } from '../parts/office-texts.ts'
import { ShortTable } from '../parts/ShortTable.tsx'

const { island, useTexts } = adminTexts(
  'office-commissions:commissions',
  'office:table',
  'office:confirm',
)

const OUTLINES = ['line', 'button'] as const

function CommissionsPage() {
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  const [editedShare, setEditedShare] = useState<ShownShare | null>(null)
  const [withheld, setWithheld] = useState<TeacherShare | null>(null)
  const [done, setDone] = useDone()
  const edit = (shared: ShownShare) => {
    setDone('')
    setEditedShare(shared)
  }
  const state = (show: 'shop' | 'history') => (
    <LoadedStore store={$commissions} load={loadCommissions} texts={texts} shapes={OUTLINES}>
      {({ shop, history }) =>
        show === 'shop' ? (
          <ShopShare
            shop={shop}
            onChange={() => edit({ ...shop, teacherId: null, name: texts.whole })}
          />
        ) : (
          <History changes={history} />
        )
      }
    </LoadedStore>
  )
  return (
    <>
      <Done text={done} />
      {state('shop')}
      <section className="stack">
        <h2>{texts.teachers}</h2>
        <OfficeTable<TeacherShare>
          table={teacherShares}
          label={texts.label}
          search={texts.search}
          rowKey={({ teacherId }) => teacherId}
          counts={texts.counts}
          empty={texts.empty}
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
            {
              head: texts.columns.actions,
              isActions: true,
              cell: (share) => (
                <span className="cluster">
                  <Button
                    aria-label={fillText(texts.changeOf, { name: `\u2068${share.name}\u2069` })}
                    onClick={() => edit(share)}
                  >
                    {texts.change}
                  </Button>
                  <Button
                    aria-label={fillText(texts.withhold.of, { name: `\u2068${share.name}\u2069` })}
                    onClick={() => setWithheld(share)}
                  >
                    {texts.withhold.open}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </section>
      {state('history')}
      {editedShare && (
        <ChangeShare
          shared={editedShare}
          onDone={() => setDone(texts.dialog.done)}
          onClose={() => setEditedShare(null)}
        />
      )}
      {withheld && (
        <ChangeWithholding
          share={withheld}
          onDone={() => setDone(texts.withhold.done)}
          onClose={() => setWithheld(null)}
        />
      )}
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
    <section className="summary">
      <h2 className="summary__label">{texts.shop}</h2>
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
    <section className="stack">
      <h2>{texts.history}</h2>
      {changes.length === 0 ? (
        <p className="soft">{texts.noHistory}</p>
      ) : (
        <ShortTable
          label={texts.history}
          rows={changes}
          rowKey={({ id }) => id}
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
      )}
    </section>
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

interface ChangeShareProps {
  shared: ShownShare
  onDone: () => void
  onClose: () => void
}

function ChangeShare({ shared, onDone, onClose }: ChangeShareProps) {
  const { dialog, mistakes } = useTexts('office-commissions:commissions')
  const { teacherId, name, percent, isSet, seen } = shared
  const [input, setInput] = useState(String(percent))
  const [reason, setReason] = useState('')
  const [restoresDefault, setRestoresDefault] = useState(false)
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const chosen = readPercent(input)
  const length = [...reason.trim()].length
  const isTooLong = length > STAFF_REASON_MAX_LENGTH
  const reasonMistake = isTooLong
    ? fillText(mistakes.tooLong, { most: STAFF_REASON_MAX_LENGTH })
    : mistakes.required
  const isShop = teacherId === null
  return (
    <ConfirmDialog
      title={isShop ? dialog.shop : fillText(dialog.teacher, { name: `\u2068${name}\u2069` })}
      submit={dialog.submit}
      check={() => {
        setHasSubmitted(true)
        return (restoresDefault || chosen !== null) && length > 0 && !isTooLong
      }}
      onConfirm={async () => {
        await setShare({
          teacherId,
          percent: restoresDefault ? null : chosen,
          reason: reason.trim(),
          seen,
        })
        onDone()
      }}
      onClose={onClose}
    >
      <p>{isShop ? dialog.shopText : dialog.teacherText}</p>
      {isSet && (
        <SelectField
          name="kind"
          label={dialog.kind}
          options={[
            { value: 'own', text: dialog.own },
            {
              value: 'usual',
              text: isShop
                ? fillText(dialog.toDefault, { percent: DEFAULT_SHARE_PERCENT })
                : dialog.toUsual,
            },
          ]}
          onChange={({ target }) => setRestoresDefault(target.value === 'usual')}
        />
      )}
      {!restoresDefault && (
        <Field
          name="percent"
          label={dialog.percent}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          defaultValue={input}
          hint={fillText(dialog.hint, { shop: chosen === null ? '–' : 100 - chosen })}
          error={
            hasSubmitted && chosen === null
              ? fillText(mistakes.percent, { least: SHARE_PERCENT_MIN, most: SHARE_PERCENT_MAX })
              : undefined
          }
          onChange={({ target }) => setInput(target.value)}
        />
      )}
      <TextField
        name="reason"
        label={dialog.reason}
        hint={dialog.reasonHint}
        error={hasSubmitted && (length === 0 || isTooLong) ? reasonMistake : undefined}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  )
}

interface ChangeWithholdingProps {
  share: TeacherShare
  onDone: () => void
  onClose: () => void
}

function ChangeWithholding({ share, onDone, onClose }: ChangeWithholdingProps) {
  const { dialog, mistakes, withhold: texts } = useTexts('office-commissions:commissions')
  const { teacherId, name, withholding } = share
  const [input, setInput] = useState(String(withholding.percent))
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const percent = readRate(input, WITHHOLDING_PERCENT_MAX)
  const field = useReason(STAFF_REASON_MAX_LENGTH, {
    label: dialog.reason,
    missing: mistakes.required,
    tooLong: mistakes.tooLong,
  })
  return (
    <ConfirmDialog
      title={fillText(texts.title, { name: `\u2068${name}\u2069` })}
      submit={texts.submit}
      check={() => {
        setHasSubmitted(true)
        return field.check() && percent !== null
      }}
      onConfirm={async () => {
        const { reason } = field
        const { seen } = withholding
        await setWithholding({ teacherId, withholding: Number(percent), reason, seen })
        onDone()
      }}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <Field
        name="percent"
        label={texts.percent}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        defaultValue={input}
        hint={texts.hint}
        error={
          hasSubmitted && percent === null
            ? fillText(texts.mistake, { most: WITHHOLDING_PERCENT_MAX })
            : undefined
        }
        onChange={({ target }) => setInput(target.value)}
      />
      <TextField {...field.fieldProps} hint={dialog.reasonHint} rows={2} />
    </ConfirmDialog>
  )
}

/** Parses a typed whole percentage; null if it is invalid or out of range. */
function readPercent(input: string): number | null {
  const text = plainSigns(input)
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return percent >= SHARE_PERCENT_MIN && percent <= SHARE_PERCENT_MAX ? percent : null
}

export default island(CommissionsPage)
