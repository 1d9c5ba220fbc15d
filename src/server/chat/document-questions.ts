import { type Kysely, sql } from 'kysely'
import type { DocumentQuestion } from '../../contract/document-questions.ts'
import { maskedText } from '../../rules/masked-text.ts'
import type { Schema } from '../database/schema.ts'

const ANSWERS_SHOWN = 10

interface QuestionRow {
  id: number
  documentId: number
  documentTitle: string
  firstName: string
  content: string
  createdAt: Date
  answers: { content: string; at: number }[]
}

/**
 * A page of the questions about a teacher's documents, newest first, and their total number. An
 * answer consists of the shop's messages after the question, until the customer writes again or
 * asks about another document.
 */
export async function questionsAbout(
  db: Kysely<Schema>,
  teacherId: number,
  { page, size }: { page: number; size: number },
): Promise<{ questions: DocumentQuestion[]; total: number }> {
  const { rows } = await sql<QuestionRow>`
    SELECT asked.id, d.id AS document_id, d.title AS document_title, customer.first_name,
      asked.content, asked.created_at,
      (SELECT coalesce(json_agg(json_build_object(
          'content', answer.content, 'at', extract(epoch FROM answer.created_at) * 1000
        ) ORDER BY answer.id), '[]')
        FROM (
          SELECT * FROM chat_messages
          WHERE room_id = asked.room_id AND id > asked.id AND sender_id <> asked.sender_id
            AND id < coalesce(next.id, id + 1)
          ORDER BY id LIMIT ${ANSWERS_SHOWN}
        ) AS answer
      ) AS answers
    FROM document_questions question
    JOIN documents d ON d.id = question.document_id
    JOIN chat_messages asked ON asked.id = question.message_id
    JOIN users customer ON customer.id = asked.sender_id
    LEFT JOIN LATERAL (
      SELECT min(id) AS id FROM chat_messages
      WHERE room_id = asked.room_id AND id > asked.id AND sender_id <> asked.sender_id
    ) first_answer ON true
    LEFT JOIN LATERAL (
      SELECT min(m.id) AS id FROM chat_messages m
      WHERE m.room_id = asked.room_id AND m.id > asked.id AND m.sender_id = asked.sender_id
        AND (m.id > first_answer.id
          OR EXISTS (SELECT FROM document_questions other WHERE other.message_id = m.id))
    ) next ON true
    WHERE d.teacher_id = ${teacherId}
    ORDER BY question.message_id DESC LIMIT ${size} OFFSET ${page * size}`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM document_questions question
    JOIN documents d ON d.id = question.document_id
    WHERE d.teacher_id = ${teacherId}`.execute(db)
  return { questions: rows.map(presentQuestion), total: counted[0]?.count ?? 0 }
}

function presentQuestion(row: QuestionRow): DocumentQuestion {
  return {
    id: row.id,
    document: { id: row.documentId, title: row.documentTitle },
    customer: row.firstName,
    text: maskedText(row.content, row.documentId),
    askedAt: row.createdAt.toISOString(),
    answers: row.answers.map(({ content, at }) => ({
      text: maskedText(content),
      answeredAt: new Date(at).toISOString(),
    })),
  }
}
