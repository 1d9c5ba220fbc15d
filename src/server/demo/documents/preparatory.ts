import type { DemoDocument } from './demo-document.ts'

/** Documents for the preparatory institutes. */
export const PREPARATORY: readonly DemoDocument[] = [
  {
    title: 'Algèbre linéaire : matrices d’ordre 2',
    subject: 'mathematics',
    niveau: 'prep-mp-1',
    category: 'lessons',
    teacher: 4,
    price: 16,
    discount: 12,
    topics: ['matrices'],
    description:
      'Déterminant, trace et valeurs propres sur le cas le plus simple, pour comprendre avant de généraliser. Les démonstrations courtes sont données. Exercices corrigés en fin de cours.',
    isFeatured: true,
  },
  {
    title: 'Matrices : feuille d’exercices corrigés',
    subject: 'mathematics',
    niveau: 'prep-pc-1',
    category: 'exercises',
    teacher: 4,
    price: 9,
    topics: ['matrices'],
    description:
      'Une feuille d’exercices dans l’ordre de difficulté, avec des corrigés complets. De quoi préparer une colle en une soirée.',
  },
  {
    title: 'Mathématiques : sujets d’entraînement au concours',
    subject: 'mathematics',
    niveau: 'prep-mp-2',
    category: 'exams',
    teacher: 4,
    price: 25,
    topics: ['matrices', 'sequences'],
    description:
      'Des sujets courts dans l’esprit du concours national, avec barème. Le corrigé insiste sur la rédaction.',
  },
  {
    title: 'Le grand livre de la prépa',
    subject: 'mathematics',
    niveau: 'prep-mp-2',
    category: 'books',
    teacher: 4,
    price: 60,
    topics: ['matrices', 'sequences'],
    description:
      'Deux chapitres essentiels réunis : rappels, méthodes et exercices corrigés. Pensé pour les révisions de mai, quand il reste peu de temps.',
    isFeatured: true,
  },
  {
    title: 'Mécanique du point : résumé de cours',
    subject: 'physics',
    niveau: 'prep-pc-1',
    category: 'summaries',
    teacher: 6,
    price: 8,
    topics: ['mechanics'],
    description:
      'Les théorèmes et les formules de la mécanique du point, avec leurs conditions d’emploi. Un rappel à garder sous la main pendant les colles.',
  },
  {
    title: 'Mécanique : exercices de colle corrigés',
    subject: 'physics',
    niveau: 'prep-pt-1',
    category: 'exercises',
    teacher: 6,
    price: 11,
    discount: 9,
    topics: ['mechanics'],
    description:
      'Chute libre, énergie cinétique et travail, en exercices de vingt minutes. Les corrigés sont écrits comme on parle au tableau.',
  },
  {
    title: 'Physique PT 2 : devoir surveillé corrigé',
    subject: 'physics',
    niveau: 'prep-pt-2',
    category: 'exams',
    teacher: 6,
    price: 14,
    topics: ['mechanics', 'motion'],
    description:
      'Un devoir de deux heures avec barème et corrigé. Les questions de cours sont séparées des applications.',
  },
  {
    title: 'Biologie cellulaire : membrane et échanges',
    subject: 'science',
    niveau: 'prep-bg-1',
    category: 'lessons',
    teacher: 5,
    price: 13,
    topics: ['cells'],
    description:
      'Structure de la membrane, osmose et transports, présentés à partir d’expériences. Le vocabulaire exigé au concours est mis en évidence. Questions corrigées.',
    isFeatured: true,
  },
  {
    title: 'Biologie BG : questions de concours',
    subject: 'science',
    niveau: 'prep-bg-2',
    category: 'exams',
    teacher: 5,
    price: 17,
    topics: ['cells', 'genetics'],
    description:
      'Des questions de concours regroupées par thème, avec des réponses rédigées. Elles couvrent la cellule et la génétique.',
  },
  {
    title: 'SQL : bases de données pour la prépa',
    subject: 'computing',
    niveau: 'prep-mp-1',
    category: 'lessons',
    teacher: 9,
    price: 9,
    topics: ['databases'],
    description:
      'Le langage SQL du programme, des sélections aux jointures et aux regroupements. Chaque requête est donnée en entier. Exercices et solutions.',
  },
  {
    title: 'Python en prépa : résumé et exercices',
    subject: 'computing',
    niveau: 'prep-pt-2',
    category: 'summaries',
    teacher: 9,
    price: 0,
    topics: ['algorithms'],
    description:
      'Un résumé gratuit des structures de Python, avec quelques exercices corrigés. Pour reprendre en main le langage après l’été.',
  },
  {
    title: 'Analyse et algèbre : cahier de vacances',
    subject: 'mathematics',
    niveau: 'prep-pc-2',
    category: 'exercises',
    teacher: 4,
    price: 20,
    topics: ['sequences', 'matrices'],
    description:
      'Un cahier pour l’été, à raison d’un exercice par jour. Les corrigés sont groupés à la fin pour résister à la tentation.',
  },
]
