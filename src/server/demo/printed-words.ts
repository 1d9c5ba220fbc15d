import type { Language } from './content/topic.ts'
import type { CategoryCode, MatiereCode } from './taxonomy.ts'

/** The words that are printed around the content of a demo document. */
export interface PrintedWords {
  readonly shop: string
  readonly toKnow: string
  readonly reminder: string
  readonly contents: string
  readonly howToWork: string
  readonly exercises: string
  readonly exercise: (number: number, marks?: number) => string
  readonly testYourself: string
  readonly answers: string
  readonly examRules: string
  readonly categories: Record<CategoryCode, string>
  readonly subjects: Record<MatiereCode, string>
}

const FRENCH_SUBJECTS: Record<MatiereCode, string> = {
  mathematics: 'Mathématiques',
  physics: 'Sciences physiques',
  science: 'Sciences de la vie et de la Terre',
  arabic: 'Arabe',
  french: 'Français',
  english: 'Anglais',
  'history-geography': 'Histoire-géographie',
  'islamic-education': 'Éducation islamique',
  computing: 'Informatique',
  philosophy: 'Philosophie',
  other: 'Autres matières',
}

export const PRINTED: Record<Language, PrintedWords> = {
  ar: {
    shop: 'كرّاس',
    toKnow: 'اقرأ كلّ قاعدة مرّتين، ثمّ أغلق الكرّاس وأعدها بصوت مسموع وبأسلوبك.',
    reminder: 'تذكير بالقواعد',
    contents: 'محتوى الكتاب',
    howToWork:
      'حاول وحدك أوّلًا واكتب كلّ المراحل، ولا تنظر إلى الإصلاح إلّا بعد أن تنهي التمرين. إذا أخطأت فضع علامة وأعد التمرين بعد يومين.',
    exercises: 'التمارين',
    exercise: (number, marks) =>
      `التمرين ${number}${marks ? ` (${marks === 2 ? 'نقطتان' : `${marks} نقاط`})` : ''}`,
    testYourself: 'اختبر نفسك',
    answers: 'الإصلاح',
    examRules:
      'المدّة ساعة واحدة، والعدد من 20. يُسند العدد إلى الجواب المعلّل، وتؤخذ بعين الاعتبار نظافة الورقة ووضوح الخطّ.',
    categories: {
      lessons: 'دروس',
      exercises: 'تمارين',
      exams: 'امتحانات',
      summaries: 'ملخّصات',
      books: 'كتب',
    },
    subjects: FRENCH_SUBJECTS,
  },
  fr: {
    shop: 'Karras',
    toKnow:
      'Lire chaque règle deux fois, puis fermer le cahier et la redire à voix haute avec ses propres mots.',
    reminder: 'Rappels',
    contents: 'Au sommaire',
    howToWork:
      'Essayer d’abord seul en écrivant toutes les étapes, et ne regarder le corrigé qu’à la fin. En cas d’erreur, marquer l’exercice et le refaire deux jours plus tard.',
    exercises: 'Exercices',
    exercise: (number, marks) => `Exercice ${number}${marks ? ` (${marks} points)` : ''}`,
    testYourself: 'Se tester',
    answers: 'Corrigés',
    examRules:
      'Durée : une heure. Le devoir est noté sur 20. Toute réponse doit être justifiée ; il sera tenu compte du soin et de la clarté de la rédaction.',
    categories: {
      lessons: 'Cours',
      exercises: 'Exercices',
      exams: 'Examens',
      summaries: 'Résumés',
      books: 'Livres',
    },
    subjects: FRENCH_SUBJECTS,
  },
  en: {
    shop: 'Karras',
    toKnow: 'Read each rule twice, then close the book and say it aloud in your own words.',
    reminder: 'Remember',
    contents: 'In this book',
    howToWork:
      'Try alone first and write everything down; look at the answers only at the end. If you made a mistake, mark the exercise and do it again two days later.',
    exercises: 'Exercises',
    exercise: (number, marks) => `Exercise ${number}${marks ? ` (${marks} marks)` : ''}`,
    testYourself: 'Test yourself',
    answers: 'Answers',
    examRules:
      'Time allowed: one hour. The test is marked out of 20. Write in full sentences and check your spelling before you hand it in.',
    categories: {
      lessons: 'Lessons',
      exercises: 'Exercises',
      exams: 'Tests',
      summaries: 'Summaries',
      books: 'Books',
    },
    subjects: { ...FRENCH_SUBJECTS, english: 'English' },
  },
}
