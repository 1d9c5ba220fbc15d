import { fixed } from './topic.ts'

const algorithms = fixed({
  language: 'fr',
  heading: 'Algorithmique et programmation en Python',
  points: [
    'Un algorithme est une suite finie d’instructions qui résout un problème à partir de données.',
    'Une variable a un nom, un type et une valeur ; en Python, l’affectation s’écrit x = 5.',
    'La structure conditionnelle s’écrit if … elif … else ; l’indentation délimite les blocs.',
    'La boucle for répète un nombre connu de fois ; la boucle while répète tant qu’une condition est vraie.',
    'range(5) produit les entiers de 0 à 4.',
    'Une fonction se définit avec def et renvoie un résultat avec return.',
  ],
  questions: [
    {
      ask: 'Qu’affiche : for i in range(4): print(i * i) ?',
      answer: '0, 1, 4 et 9, sur quatre lignes.',
    },
    {
      ask: 'Écrire une fonction qui renvoie le plus grand de deux nombres.',
      answer: 'def plus_grand(a, b): return a if a > b else b',
    },
    {
      ask: 'Écrire un algorithme qui calcule la somme des entiers de 1 à n.',
      answer: 'Initialiser s à 0 ; pour i de 1 à n, ajouter i à s ; afficher s.',
    },
    {
      ask: 'Que vaut 17 % 5 ? Et 17 // 5 ?',
      answer: '17 % 5 vaut 2 (reste) et 17 // 5 vaut 3 (quotient).',
    },
    {
      ask: 'Quelle est l’erreur dans : if x = 3: print("oui") ?',
      answer: 'Il faut l’opérateur de comparaison : if x == 3.',
    },
    { ask: 'Comment tester si un entier n est pair ?', answer: 'n % 2 == 0' },
  ],
})

const hardware = fixed({
  language: 'ar',
  heading: 'مكوّنات الحاسوب ووحدات القيس',
  points: [
    'يتكوّن الحاسوب من عتاد وبرمجيّات: العتاد ما نلمسه، والبرمجيّات ما يشغّله.',
    'المعالج يقوم بالعمليّات، والذاكرة الحيّة تحفظ المعطيات مؤقّتًا، والقرص يحفظها بعد انقطاع التيّار.',
    'لوحة المفاتيح والفأرة وحدتا إدخال، والشاشة والطابعة وحدتا إخراج.',
    'أصغر وحدة للمعلومة البت، وقيمتها 0 أو 1، والأوكتي ثماني بتات.',
    'كلمة العبور القويّة طويلة، ولا نعطيها لأحد.',
  ],
  questions: [
    {
      ask: 'صنّف: الفأرة، الشاشة، الماسح الضوئيّ، الطابعة.',
      answer: 'الإدخال: الفأرة والماسح الضوئيّ. الإخراج: الشاشة والطابعة.',
    },
    {
      ask: 'ما الفرق بين الذاكرة الحيّة والقرص الصلب؟',
      answer: 'الذاكرة الحيّة مؤقّتة وتُمحى بانقطاع التيّار، والقرص يحفظ المعطيات.',
    },
    { ask: 'كم بتًّا في 4 أوكتيات؟', answer: '32 بتًّا.' },
    { ask: 'اكتب العدد 5 في النظام الثنائيّ.', answer: '101' },
    {
      ask: 'اذكر قاعدتين لحماية معطياتك على الإنترنت.',
      answer: 'مثل كلمة عبور طويلة، وعدم نشر العنوان ورقم الهاتف.',
    },
    { ask: 'ما نظام التشغيل؟ أعط مثالًا.', answer: 'برنامج يدير العتاد والتطبيقات، مثل Linux.' },
  ],
})

const databases = fixed({
  language: 'fr',
  heading: 'Bases de données relationnelles et SQL',
  points: [
    'Une table est un ensemble de lignes ; chaque colonne a un nom et un type.',
    'La clé primaire identifie chaque ligne de façon unique ; la clé étrangère renvoie à la clé primaire d’une autre table.',
    'SELECT choisit les colonnes, WHERE filtre les lignes, ORDER BY les trie.',
    'Une jointure rapproche les lignes de deux tables selon une condition.',
    'GROUP BY regroupe les lignes et s’emploie avec COUNT, SUM, AVG, MIN ou MAX.',
  ],
  questions: [
    {
      ask: 'Afficher les titres des livres publiés après 2015, du plus récent au plus ancien.',
      answer: 'SELECT titre FROM livre WHERE annee > 2015 ORDER BY annee DESC',
    },
    {
      ask: 'Compter les élèves de chaque classe.',
      answer: 'SELECT classe, COUNT(*) FROM eleve GROUP BY classe',
    },
    {
      ask: 'À quoi sert une clé étrangère ?',
      answer: 'À garantir que la valeur existe dans la table référencée.',
    },
    {
      ask: 'Quelle différence entre WHERE et HAVING ?',
      answer: 'WHERE filtre les lignes avant le regroupement, HAVING filtre les groupes.',
    },
    {
      ask: 'Afficher le nom de chaque élève avec le nom de sa classe.',
      answer: 'SELECT e.nom, c.nom FROM eleve e JOIN classe c ON c.id = e.classe_id',
    },
    {
      ask: 'Pourquoi évite-t-on de stocker deux fois la même information ?',
      answer: 'Pour éviter les incohérences lors des mises à jour.',
    },
  ],
})

export const computing = { algorithms, hardware, databases }
