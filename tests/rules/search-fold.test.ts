import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldQuery, foldText, foldWords } from '../../src/rules/search-fold.ts'

const arabicLetters = fc.constantFrom(...'ءآأؤإئابةتجدرسعفقكلمنهوىي')
const arabicWord = fc.string({ unit: arabicLetters, minLength: 2, maxLength: 8 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'ءأؤئىةٱالوبك ـَّٔ٣3aÉœ-\u200f') }),
)

describe('foldText', () => {
  // One line per word: all its spellings fold to the same text.
  test.each([
    ['marks', 'مدرسة', 'مَدْرَسَة', 'مدرسةٌ', 'مـدرسـة', 'مدرسه', 'مدر\u200fسة'],
    ['shadda, superscript alef', 'هذا', 'هٰذا', 'هٰذَا'],
    ['tanween', 'جدا', 'جداً', 'جدًا'],
    ['alef', 'احمد', 'أحمد', 'إحمد', 'آحمد', 'ٱحمد', 'ا\u0654حمد', 'ءاحمد'],
    ['last yeh', 'مستوي', 'مستوى', 'مستوی', 'مُسْتَوًى'],
    ['hamza on waw', 'مسؤول', 'مسوول', 'مسئول', 'مسءول', 'مسو\u0654ول'],
    ['hamza on waw, plural', 'شؤون', 'شئون', 'شوون', 'شؤُون'],
    ['hamza on waw, one', 'سؤال', 'سوال', 'سُؤَال'],
    ['hamza on yeh', 'أسئلة', 'اسئله', 'اسيلة', 'اسءلة', 'أسي\u0654لة', 'أَسْئِلَة'],
    ['hamza after alef', 'مسائل', 'مسايل', 'مساءل', 'مسآئل'],
    ['hamza before teh', 'قراءة', 'قرائة', 'قراءه', 'قرايه', 'قِرَاءَة'],
    ['last hamza', 'فيزياء', 'فيزيا', 'فيزياءٌ', 'فيزيآء'],
    ['last hamza on yeh', 'مبادئ', 'مبادي', 'مبادىء', 'مبادى', 'مبادىٔ'],
    ['lone hamza', 'جزء', 'جز', 'جُزْء'],
    ['yeh and hamza', 'شيء', 'شي', 'شئ', 'شىء', 'شيْء'],
    ['presentation forms', 'لا', 'ﻻ', 'ﻼ', 'لأ', 'لآ', 'ﻷ'],
    ['Persian keyboard', 'كتابي', 'کتابی', 'كتابى'],
    ['forms of heh', 'سنه', 'سنة', 'سنۃ', 'سنە', 'سنہ', 'سنھ', 'سنۀ'],
    ['foreign letters', 'بابا', 'پاپا'],
    ['v', 'فيديو', 'ڤيديو', 'ڥيديو'],
    ['letters of the Maghreb', 'قفصة', 'ڨفصة', 'ڨفصه'],
    ['digits', 'سنة 2024', 'سنة ٢٠٢٤', 'سنة ۲۰۲۴', 'سنه ２０２４', 'سنة2024'],
    ['French accents', 'élève', 'eleve', 'ÉLÈVE', 'e\u0301le\u0300ve', 'Eleve'],
    ['ligatures', 'œuvre', 'oeuvre', 'ŒUVRE', 'Oeuvre'],
    ['ligatures of print', 'ﬁche', 'fiche', 'FICHE'],
    ['æ', 'cæcum', 'caecum', 'CÆCUM'],
    ['cedilla', 'français', 'FRANCAIS', 'franc\u0327ais'],
    ['punctuation', "l'élève", 'l’élève', 'L eleve', '«l`eleve»', 'l-eleve!'],
    ['ordinals', '7ème', '7eme', '7 ème', '٧ème', '7ᵉᵐᵉ'],
    ['space', 'تمارين في الجبر', ' تمارين  في\u00a0الجبر\n', 'تمارين، في: الجبر'],
  ])('%s', (_name, first, ...others) => {
    for (const spelling of others) expect(foldText(spelling)).toBe(foldText(first ?? ''))
  })

  test.each([
    ['', ''],
    [' - ', ''],
    ['الرِّياضيّات: الجزء ٢', 'الرياضيات الجز 2'],
    ['Mathématiques — 1ère année', 'mathematiques 1 ere annee'],
    ['x² + ½', 'x 2 1 2'],
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  test('keeps different words apart', () => {
    const words = ['علوم', 'عليم', 'درس', 'دروس', 'قلم', 'قلب', 'لغة', 'لغز', 'قول', 'قيل']
    expect(new Set(words.map(foldText)).size).toBe(words.length)
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
        expect(foldWords(foldWords(text).join(' '))).toEqual(foldWords(text))
        expect(foldWords(foldText(text))).toEqual(foldWords(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('leaves nothing but letters, numbers and single spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(text)).toMatch(/^(?:[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*)?$/u)
        expect(foldText(text)).not.toMatch(/[أإآٱؤئءىة٠-٩۰-۹ـ]/)
      }),
    )
  })

  test('ignores diacritics, tatweel and direction marks anywhere', () => {
    const noise = fc.constantFrom('\u064e', '\u0651', '\u0640', '\u200f', '\u064b', '\u0670')
    const noisy = fc.array(fc.tuple(arabicLetters, fc.option(noise, { nil: '' })))
    fc.assert(
      fc.property(noisy, (letters) => {
        const plain = letters.map(([letter]) => letter).join('')
        expect(foldText(letters.flat().join(''))).toBe(foldText(plain))
      }),
    )
  })
})

describe('the article', () => {
  test.each([
    ['رياضيات', 'الرياضيات', 'والرياضيات', 'بالرياضيات', 'كالرياضيات', 'للرياضيات'],
    ['لغة', 'اللغة', 'واللغة', 'باللغة', 'كاللغة', 'للغة'],
    ['لغات', 'اللغات', 'للغات'],
    ['نص', 'النص', 'والنص', 'بالنص', 'للنص'],
    ['آلات', 'الآلات', 'والآلات', 'للآلات'],
    ['ألوان', 'الألوان', 'بالألوان'],
    ['والدين', 'الوالدين', 'للوالدين'],
    ['كالسيوم', 'الكالسيوم', 'بالكالسيوم'],
    ['إلكترونيات', 'الإلكترونيات', 'للإلكترونيات'],
    ['جزء', 'الجزء', 'والجزء', 'بالجزء'],
    ['علوم', 'ٱلْعُلُوم', 'الـعلوم', 'للعُلوم'],
  ])('of %s is ignored', (word, ...others) => {
    for (const spelling of others) expect(foldWords(spelling)).toEqual(foldWords(word))
  })

  test.each(['ألف', 'إلى', 'والد', 'بال', 'ال', 'لله', 'آلة'])('%s stays whole', (word) => {
    expect(foldWords(word)).toEqual([foldText(word)])
  })

  test('alone is not a search', () => {
    expect(foldQuery('تمارين ال')).toEqual(['تمارين'])
    expect(foldQuery('ال')).toEqual([])
  })

  test('does not change the word after it', () => {
    const article = fc.constantFrom('ال', 'وال', 'بال', 'كال')
    fc.assert(
      fc.property(article, arabicWord, (prefix, word) => {
        fc.pre(foldText(word).length >= 2 && !word.startsWith('ء'))
        expect(foldWords(prefix + word)).toEqual(foldWords(word))
      }),
    )
  })

  test('leaves at least two letters', () => {
    fc.assert(
      fc.property(arabicWord, (word) => {
        fc.pre(foldText(word).length >= 2)
        expect(foldWords(word)[0]?.length).toBeGreaterThanOrEqual(2)
      }),
    )
  })
})
