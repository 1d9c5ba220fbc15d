import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  containsFolded,
  foldQuery,
  foldText,
  foldWords,
  startsOf,
} from '../../src/rules/search-fold.ts'

/**
 * Matches as the shop's search does: every word of the query is one of the title's, the last one as
 * a prefix.
 */
function finds(title: string, query: string): boolean {
  const words = foldWords(title)
  const wanted = foldQuery(query)
  const starts = startsOf(wanted.pop() ?? '')
  return (
    wanted.every((word) => words.includes(word)) &&
    words.some((word) => starts.some((start) => word.startsWith(start)))
  )
}

const arabicWord = fc.string({
  unit: fc.constantFrom(...'ءآأؤإئابةتجدرسعفقكلمنهوىي'),
  minLength: 2,
  maxLength: 8,
})

describe('a title', () => {
  const titles: [title: string, ...queries: string[]][] = [
    [
      'تمارين في الرياضيات',
      'رياضيات',
      'الرياضيّات',
      'تمارين رياض',
      'الرياضيات تمارين',
      'والرياضيات',
    ],
    ['ملخص دروس الفيزياء', 'فيزيا', 'الفيزياء', 'والفيزيا', 'دروس فيزياء', 'مُلَخَّص'],
    ['امتحان اللغة العربية', 'للغة العربيه', 'عربية', 'امتحان العربيّة', 'إمتحان لغه', 'اللغة'],
    ['أسئلة وأجوبة في الكيمياء', 'اسيلة', 'أسئله', 'اسءلة', 'كيميا أسئلة', 'الكيمياء'],
    ['قراءة وإنتاج كتابي', 'قراءه', 'قرائة', 'القراءة', 'كتابى قراءة', 'قرا'],
    ['الجزء ٢: الهندسة', 'الجزء 2', 'جزء ۲', 'هندسه جزء', '2 الهندسة', 'الهندس'],
    ['فرض مراقبة عدد 3', 'فرض ٣', 'مراقبه', 'فرض مراقبة عدد٣', 'عدد 3 فرض', 'فـرض'],
    [
      'مسائل في الحساب للسنة السادسة',
      'مسايل',
      'مساءل الحساب',
      'السادسه',
      'السنة السادسة',
      'سنة مسائل',
    ],
    ['مبادئ الإعلام الآلي', 'مبادي', 'مبادىء', 'الاعلام الالي', 'اعلام', 'إعلام آلي'],
    ['المسؤولية والمواطنة', 'مسوولية', 'المسئولية', 'مواطنه', 'المواطنة والمسؤولية', 'مسؤول'],
    ['الدائرة الكهربائية', 'دايرة', 'كهربائيه', 'الكهربايية', 'الكهرباءية', 'دائرة كهر'],
    ['رؤوس أقلام في التاريخ', 'رءوس اقلام', 'رؤوس', 'تاريخ', 'التاريخ رؤوس', 'أقلام'],
    ['مستوى أوّل ثانوي', 'مستوي', 'أول ثانوى', 'اول', 'الثانوي', 'ثانو'],
    ['التربية الإسلامية', 'تربيه اسلاميه', 'الاسلامية', 'إسلامية تربية', 'التربيّة', 'والتربية'],
    ["Résumé de l'élève", 'resume', "l'eleve", 'ELEVE', 'élève résumé', 'élè'],
    ['Mathématiques 1ère année', 'mathematiques 1ere', '1 ère', 'annee', 'année math', 'MATHÉ'],
    ['Œuvres complètes', 'oeuvres', 'œuvres', 'completes', 'complètes oeuvres', 'oeuv'],
    ["Série d'exercices n°5", 'serie', 'exercices 5', "d'exercices", 'serie exer', 'SÉRIE'],
    ['Bac 2024 — Physique', 'bac ٢٠٢٤', 'bac2024', 'physique bac', 'Phys', '2024'],
    ['علوم الحياة والأرض SVT', 'svt', 'الحياه', 'والارض', 'الأرض والحياة', 'علوم svt'],
  ]

  test.each(titles)('finds %s', (title, ...queries) => {
    for (const query of [title, foldText(title), ...queries]) {
      expect({ query, found: finds(title, query) }).toEqual({ query, found: true })
    }
  })

  test.each([
    ['تمارين في الرياضيات', 'فيزياء'],
    ['تمارين في الرياضيات', 'رياض تمارين'], // only the last word is a prefix
    ['تمارين في الرياضيات', 'مارين'], // no prefix of a word
    ['تمارين في الرياضيات', 'تمارين فيزياء'],
    ['Bac 2024', 'bac 2023'],
  ])('%s is not found by %s', (title, query) => {
    expect(finds(title, query)).toBe(false)
  })

  test('a query without letters has no words', () => {
    expect(foldQuery(' - ')).toEqual([])
  })

  test('finds a title by its words in any order, for any title', () => {
    const shuffled = fc.array(arabicWord, { minLength: 1, maxLength: 5 }).chain((words) =>
      fc.tuple(
        fc.constant(words.join(' ')),
        fc.shuffledSubarray(words, { minLength: 1 }).map((some) => some.join(' ')),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([title, query]) => {
        // A hamza alone (ءء) is no word: a first or last one is dropped.
        fc.pre(foldQuery(query).length > 0)
        return finds(title, query)
      }),
    )
    expect(finds('ءء', 'ءء')).toBe(false)
  })

  test('finds a title by the start of a word, also of its article once a letter follows', () => {
    // No folded word keeps what looks like an article (كالسيوم), so half of it does not match.
    const articles = fc.constantFrom('', 'ال', 'وال', 'بال', 'كال', 'لل')
    const letters = fc.string({ unit: fc.constantFrom(...'الوبكغةس'), minLength: 2, maxLength: 7 })
    fc.assert(
      fc.property(articles, letters, fc.integer({ min: 1, max: 7 }), (article, rest, length) => {
        fc.pre(!/^(?:[وبك]?ال|لل)/.test(rest))
        const start = article + rest.slice(0, length)
        fc.pre(start.length >= 2)
        expect(finds(`${article}${rest} درس`, start)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('containsFolded', () => {
  test.each([
    ['تمارين الرياضيات', 'الر', true],
    ['تمارين رياضيات', 'الرياضيات', true],
    ['تمارين الرياضيات', 'رياضيات', true],
    ['تمارين الرياضيات', 'ياضي', true],
    ['Élèves', 'LEV', true],
    ['تمارين الرياضيات', 'رياضيات تمارين', false],
    ['تمارين', '', false],
    ['تمارين', ' ، ', false],
  ])('%s, %j: %s', (text, query, expected) => {
    expect(containsFolded(text, query)).toBe(expected)
  })
})
