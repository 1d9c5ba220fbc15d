import type { Owed as Debts } from '../../../contract/office-figures.ts'
import type { FigureView } from '../../../stores/office/figures.ts'
import { Money } from '../parts/cells.tsx'
import { CsvButton } from './CsvButton.tsx'
import { useTexts } from './texts.ts'

const DEBTS = ['wallets', 'payable', 'requested', 'held', 'overpaid'] as const

/** The shop's current debts to customers and teachers. */
export function Owed({ owed, view }: { owed: Debts; view: FigureView }) {
  const texts = useTexts('office-figures:figures')
  return (
    <section className="stack">
      <div className="figures__head">
        <h2>{texts.owedHeading}</h2>
        <CsvButton view={view} table="owed" name={texts.owedHeading} />
      </div>
      <p className="soft">{texts.owedHint}</p>
      <dl className="figures__grid">
        {DEBTS.filter((name) => name !== 'overpaid' || owed.overpaid > 0).map((name) => (
          <div key={name} className="figure">
            <dt>{texts.owed[name]}</dt>
            <dd className="figure__now">
              <Money amount={owed[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
