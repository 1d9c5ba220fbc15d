import '../site/site.css'
import './interface-texts.css'
import type { InterfaceText } from '../../../contract/office-interface-texts.ts'
import { TEXT_STATES } from '../../../contract/office-interface-texts.ts'
import { textTable } from '../../../stores/office/site/interface-texts.ts'
import { OfficeList } from '../parts/OfficeTable.tsx'
import { TextRow } from './TextRow.tsx'
import { island, useTexts } from './texts.ts'

/** The texts of the shop's pages and mails, and the administrators' replacements. */
function InterfaceTexts() {
  const texts = useTexts('office-interface-texts:page')
  return (
    <div className="stack">
      <p className="soft">{texts.lead}</p>
      <p className="soft small">{texts.fixed}</p>
      <OfficeList<InterfaceText>
        table={textTable}
        counts={texts.counts}
        empty={{ text: texts.none }}
        search={texts.search}
        filters={[
          {
            name: 'state',
            label: texts.state,
            options: TEXT_STATES.map((value) => ({ value, text: texts.states[value] })),
          },
        ]}
      >
        {({ content }) => (
          <ul className="interface-texts">
            {content.map((text) => (
              <li key={text.key}>
                <TextRow text={text} />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </div>
  )
}

export default island(InterfaceTexts)
