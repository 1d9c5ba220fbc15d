import type { ShareChange } from '../../../contract/office-commissions.ts'
import { fillText } from '../../../i18n/format.ts'
import { COMMAND_LINE } from '../../../rules/office-actions.ts'
import { Moment, Words } from '../parts/cells.tsx'
import { ShortTable } from '../parts/ShortTable.tsx'
import { useTexts } from './texts.ts'

/** The changes of shares, newest first. */
export function History({ changes }: { changes: readonly ShareChange[] }) {
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
              cell: ({ by }) => (by === COMMAND_LINE ? texts.commandLine : <Words>{by}</Words>),
            },
            { head: heads.at, cell: ({ at }) => <Moment at={at} withTime /> },
          ]}
        />
      )}
    </section>
  )
}
