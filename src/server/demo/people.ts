/** The password of every demo account (decisions §2). */
export const DEMO_PASSWORD = 'karras-demo'

/** Somebody who can log in; `balance` in dinars. */
export interface DemoPerson {
  readonly email: string
  readonly role: 'PARENT' | 'TEACHER' | 'ADMIN'
  readonly firstName: string
  readonly lastName: string
  readonly gender: 'male' | 'female'
  readonly phone: string
  readonly balance: number
}

/** The accounts that are printed at the start. */
export const DEMO_ACCOUNTS: readonly DemoPerson[] = [
  person('parent@karras.test', 'PARENT', 'أمل', 'بن صالح', 'female', '20100001', 60),
  person('parent2@karras.test', 'PARENT', 'Karim', 'Jlassi', 'male', '20100002', 5),
  person('admin@karras.test', 'ADMIN', 'هيفاء', 'العياري', 'female', '20100003'),
  person('admin2@karras.test', 'ADMIN', 'Mehdi', 'Chebbi', 'male', '20100004'),
  person('teacher@karras.test', 'TEACHER', 'سلمى', 'بن عمر', 'female', '20100005'),
]

/** Customers who bought and rated; nobody knows their password. */
export const DEMO_READERS: readonly DemoPerson[] = [
  person('reader1@karras.test', 'PARENT', 'مريم', 'الهمّامي', 'female', '20100011'),
  person('reader2@karras.test', 'PARENT', 'Walid', 'Mansouri', 'male', '20100012'),
  person('reader3@karras.test', 'PARENT', 'سناء', 'القاسمي', 'female', '20100013'),
  person('reader4@karras.test', 'PARENT', 'Rim', 'Bouazizi', 'female', '20100014'),
  person('reader5@karras.test', 'PARENT', 'نزار', 'الفرجاني', 'male', '20100015'),
  person('reader6@karras.test', 'PARENT', 'Leïla', 'Ben Youssef', 'female', '20100016'),
  person('reader7@karras.test', 'PARENT', 'حاتم', 'المرزوقي', 'male', '20100017'),
  person('reader8@karras.test', 'PARENT', 'Anis', 'Ayadi', 'male', '20100018'),
]

function person(
  email: string,
  role: DemoPerson['role'],
  firstName: string,
  lastName: string,
  gender: DemoPerson['gender'],
  phone: string,
  balance = 0,
): DemoPerson {
  return { email, role, firstName, lastName, gender, phone, balance }
}

/** A seller; ids are the places in `DEMO_TEACHERS`, from 1. */
export interface DemoTeacher {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly bio: string
  readonly isFeatured: boolean
  /** The demo account that is this teacher's own. */
  readonly account?: string
}

export const DEMO_TEACHERS: readonly DemoTeacher[] = [
  {
    firstName: 'سلمى',
    lastName: 'بن عمر',
    email: 'salma.benomar@karras.test',
    bio: 'أستاذة رياضيات منذ ستّ عشرة سنة بسوسة. أكتب تماريني من القسم: أبدأ بمثال محلول خطوة بخطوة، ثمّ أترك للتلميذ مساحة ليحاول وحده.',
    isFeatured: true,
    account: 'teacher@karras.test',
  },
  {
    firstName: 'محمّد',
    lastName: 'الطرابلسي',
    email: 'mohamed.trabelsi@karras.test',
    bio: 'أستاذ عربيّة ومكوّن في الإنتاج الكتابيّ، درّست بصفاقس وتونس العاصمة. أؤمن أنّ من يقرأ كثيرًا يكتب جيّدًا.',
    isFeatured: true,
  },
  {
    firstName: 'Inès',
    lastName: 'Gharbi',
    email: 'ines.gharbi@karras.test',
    bio: 'Professeure de français à Bizerte depuis douze ans. Mes fiches tiennent en peu de pages : une règle claire, des exemples, puis des exercices corrigés.',
    isFeatured: true,
  },
  {
    firstName: 'Sami',
    lastName: 'Ben Mahmoud',
    email: 'sami.benmahmoud@karras.test',
    bio: 'Agrégé de mathématiques, enseignant à l’Institut préparatoire de Monastir. Je prépare aux concours nationaux avec des sujets courts et des corrigés complets.',
    isFeatured: true,
  },
  {
    firstName: 'هاجر',
    lastName: 'الجلاصي',
    email: 'hajer.jlassi@karras.test',
    bio: 'أستاذة علوم الحياة والأرض بنابل. أحوّل كلّ درس إلى أسئلة بسيطة يفهم بها التلميذ الظاهرة قبل أن يحفظها.',
    isFeatured: false,
  },
  {
    firstName: 'Yassine',
    lastName: 'Khelifi',
    email: 'yassine.khelifi@karras.test',
    bio: 'Professeur de sciences physiques à Tunis. Je corrige le baccalauréat depuis dix ans et je rédige des séries à partir des erreurs que j’y rencontre.',
    isFeatured: false,
  },
  {
    firstName: 'آمنة',
    lastName: 'الورتاني',
    email: 'emna.ouertani@karras.test',
    bio: 'معلّمة أولى بالمدارس الابتدائيّة بالكاف. أعدّ كرّاسات للمراجعة يستطيع الوليّ أن يرافق بها ابنه في البيت دون عناء.',
    isFeatured: false,
  },
  {
    firstName: 'نبيل',
    lastName: 'المبروك',
    email: 'nabil.mabrouk@karras.test',
    bio: 'أستاذ تاريخ وجغرافيا وفلسفة سابق بقفصة. أحبّ الخرائط والتواريخ القليلة الواضحة، وأكره الحفظ بلا فهم.',
    isFeatured: false,
  },
  {
    firstName: 'Nour',
    lastName: 'Zouari',
    email: 'nour.zouari@karras.test',
    bio: 'Enseignante d’informatique à Sfax et formatrice en Python. Tous mes exercices ont été testés en salle, avec des machines ordinaires.',
    isFeatured: false,
  },
  {
    firstName: 'Rania',
    lastName: 'Ben Salem',
    email: 'rania.bensalem@karras.test',
    bio: 'English teacher in Gabès. I write short worksheets for pupils who are shy to speak: simple rules, real sentences and answers to check alone.',
    isFeatured: false,
  },
]
