import { inLanguage } from '../../../i18n/paths.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import type { OpeningStep } from '../../../rules/upkeep.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

/** Where each step is done: a page of the office or, on the server, a setting or a command. */
const WAYS: Readonly<
  Record<OpeningStep, { page: PageAddress } | { setting: string } | { command: string }>
> = {
  name: { page: '/office/facts#brand' },
  contact: { page: '/office/facts#contact' },
  account: { page: '/office/facts#bank' },
  mail: { setting: 'SMTP_URL=smtp://…' },
  pages: { page: '/office/site-pages' },
  document: { page: '/office/people' },
  backup: { command: 'backup shop.backup' },
}

interface Props {
  steps: readonly OpeningStep[]
  /** How the operator calls the command line on the server. */
  officeCommand: string
}

/** What is left to do before the first sale; a step that is done is gone. */
export function Opening({ steps, officeCommand }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:opening')
  return (
    <section className="stack opening" aria-labelledby="opening">
      <h2 id="opening">{texts.title}</h2>
      <p className="soft">{texts.lead}</p>
      <ol className="desk">
        {steps.map((step) => {
          const way = WAYS[step]
          const { title, text } = texts.steps[step]
          return (
            <li className="desk__kind" key={step}>
              <span className="desk__count" aria-hidden="true">
                ○
              </span>
              <div className="desk__what">
                <h3>
                  {'page' in way ? <a href={inLanguage(locale, way.page)}>{title}</a> : title}
                </h3>
                <p className="soft small">{text}</p>
                {!('page' in way) && (
                  <div className="desk__advice">
                    <code dir="ltr">
                      {'setting' in way ? way.setting : `${officeCommand} ${way.command}`}
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
