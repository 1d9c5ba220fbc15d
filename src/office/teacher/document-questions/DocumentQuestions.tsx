import '../ratings/ratings.css'
import type { DocumentQuestion } from '../../../contract/document-questions.ts'
import * as questions from '../../../contract/document-questions.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, StateMark } from '../../kit/tables/cells.tsx'
import { OfficeList } from '../../kit/tables/OfficeTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const questionsTable = tableOf(questions.listDocumentQuestions)

const { island, useTexts } = officeTexts('office-ratings:questions', 'office:table')

function DocumentQuestions() {
  const texts = useTexts('office-ratings:questions')
  return (
    <>
      <p className="soft measure">{texts.lead}</p>
      <OfficeList table={questionsTable} texts={texts}>
        {({ content }, isLoading) => (
          <ul className="received-list stack" aria-label={texts.label} aria-busy={isLoading}>
            {content.map((question) => (
              <li key={question.id}>
                <Question question={question} />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </>
  )
}

function Question({ question }: { question: DocumentQuestion }) {
  const locale = useLocale()
  const texts = useTexts('office-ratings:questions')
  const { customer, document, text, askedAt, answers } = question
  return (
    <article className="received stack gap-2">
      <p className="cluster gap-3 lines-1">
        <bdi className="strong">{customer}</bdi>
        <span className="soft small">
          <Moment at={askedAt} withTime />
        </span>
      </p>
      <p className="received__about small">
        <a href={`${pathIn(locale, '/office/document')}?id=${document.id}`}>
          <bdi>{document.title}</bdi>
        </a>
      </p>
      <p className="received__words along as-written" dir="auto">
        {text || '–'}
      </p>
      {answers.length === 0 ? (
        <StateMark kind="waiting" text={texts.unanswered} />
      ) : (
        <div className="received__answer stack gap-2">
          <p className="cluster gap-3 lines-1">
            <strong>{texts.shop}</strong>
            <span className="soft small">
              <Moment at={answers[0]?.answeredAt ?? askedAt} withTime />
            </span>
          </p>
          {answers.map((answer) => (
            <p className="received__words along as-written" dir="auto" key={answer.answeredAt}>
              {answer.text}
            </p>
          ))}
        </div>
      )}
    </article>
  )
}

export default island(DocumentQuestions)
