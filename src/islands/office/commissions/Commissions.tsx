import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { TeacherShare } from '../../../contract/office-commissions.ts'
import { fillText } from '../../../i18n/format.ts'
import { $commissions, loadCommissions, teacherShares } from '../../../stores/office/commissions.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { StateMark, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { ChangeShare, type ShownShare } from './ChangeShare.tsx'
import { History } from './History.tsx'
import { ShopShare } from './ShopShare.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button'] as const

/** The teachers' share of a sale: the default, each teacher's, and the history of changes. */
function Commissions() {
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  const commissions = useStore($commissions, { ssr: notLoaded })
  const [editedShare, setEditedShare] = useState<ShownShare | null>(null)
  const [done, setDone] = useDone()
  useEffect(() => void loadCommissions(), [])
  const edit = (shared: ShownShare) => {
    setDone('')
    setEditedShare(shared)
  }
  const state = (show: 'shop' | 'history') => (
    <LoadState
      state={commissions}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadCommissions}
    >
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
    </LoadState>
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
              head: texts.columns.actions,
              isActions: true,
              cell: (share) => (
                <button
                  type="button"
                  className="button"
                  aria-label={fillText(texts.changeOf, { name: `\u2068${share.name}\u2069` })}
                  onClick={() => edit(share)}
                >
                  {texts.change}
                </button>
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
    </>
  )
}

export default island(Commissions)
