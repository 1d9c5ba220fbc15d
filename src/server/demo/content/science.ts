import { fixed } from './topic.ts'

const photosynthesis = fixed({
  language: 'ar',
  heading: 'التغذية عند النبات الأخضر',
  points: [
    'يمتصّ النبات الأخضر الماء والأملاح المعدنيّة من التربة بواسطة الأوبار الماصّة للجذور.',
    'يصعد النسغ الخام من الجذور إلى الأوراق عبر الأوعية الخشبيّة.',
    'التركيب الضوئيّ ظاهرة يصنع بها النبات الأخضر مادّته العضويّة في الضوء، ويحتاج فيها إلى اليخضور وثاني أكسيد الكربون والماء.',
    'يطرح النبات أثناء التركيب الضوئيّ الأكسجين، ويتنفّس في كلّ وقت ليلًا ونهارًا.',
    'النبات الأخضر كائن ذاتيّ التغذية، أمّا الحيوان فغيريّ التغذية.',
  ],
  questions: [
    { ask: 'ما دور الأوبار الماصّة؟', answer: 'تمتصّ الماء والأملاح المعدنيّة من التربة.' },
    {
      ask: 'اذكر الشروط الضروريّة لحدوث التركيب الضوئيّ.',
      answer: 'الضوء، واليخضور، وثاني أكسيد الكربون، والماء.',
    },
    {
      ask: 'غطّينا ورقة نبات بورق أسود يومين كاملين، ثمّ كشفنا عن النشا فلم نجده. فسّر النتيجة.',
      answer: 'حُرمت الورقة من الضوء فتوقّف التركيب الضوئيّ، ولم يُصنع النشا.',
    },
    {
      ask: 'لماذا نقول إنّ النبات الأخضر ذاتيّ التغذية؟',
      answer: 'لأنّه يصنع مادّته العضويّة بنفسه انطلاقًا من مواد معدنيّة.',
    },
    {
      ask: 'ما الغاز الذي يطرحه النبات في التركيب الضوئيّ؟ وكيف نكشف عنه؟',
      answer: 'الأكسجين، ونكشف عنه بتوهّج عود ثقاب منطفئ فيه جمرة.',
    },
    {
      ask: 'هل يتنفّس النبات نهارًا؟ علّل جوابك.',
      answer: 'نعم، يتنفّس ليلًا ونهارًا، لكنّ التركيب الضوئيّ يحجب أثر التنفّس في الضوء القويّ.',
    },
  ],
})

const digestion = fixed({
  language: 'ar',
  heading: 'الهضم والامتصاص عند الإنسان',
  points: [
    'الجهاز الهضميّ أنبوب يبدأ بالفم وينتهي بالشرج، وتصبّ فيه عصارات غدد هي اللعابيّة والمعدة والبنكرياس والكبد.',
    'الهضم تحويل الأغذية إلى مغذّيات بسيطة تستطيع عبور جدار الأمعاء.',
    'يقوم الهضم على عمل آليّ كالمضغ وحركات المعدة، وعمل كيميائيّ تقوم به الأنزيمات.',
    'يحوّل أنزيم اللعاب النشا المطبوخ إلى سكّر بسيط.',
    'يتمّ الامتصاص أساسًا في الأمعاء الدقيقة بفضل الخملات المعويّة الغنيّة بالشعيرات الدمويّة.',
  ],
  questions: [
    {
      ask: 'رتّب أعضاء الأنبوب الهضميّ من الفم إلى الشرج.',
      answer: 'الفم، البلعوم، المريء، المعدة، الأمعاء الدقيقة، الأمعاء الغليظة، الشرج.',
    },
    { ask: 'ما الأنزيم؟', answer: 'بروتين يسرّع تفاعلًا كيميائيًّا في الجسم دون أن يُستهلك فيه.' },
    {
      ask: 'لماذا ننصح بمضغ الطعام جيّدًا؟',
      answer: 'لأنّ المضغ يجزّئ الطعام فيزيد مساحة تأثير العصارات الهاضمة.',
    },
    {
      ask: 'ما الذي يجعل الأمعاء الدقيقة صالحة للامتصاص؟',
      answer: 'طولها، وكثرة الخملات فيها، ورقّة جدارها، وغناها بالشعيرات الدمويّة.',
    },
    {
      ask: 'أين يُصنع العصير الصفراويّ؟ وما دوره؟',
      answer: 'يُصنع في الكبد، ويجزّئ الدسم إلى قطيرات دقيقة.',
    },
    {
      ask: 'قارن بين الهضم والامتصاص.',
      answer: 'الهضم تبسيط الأغذية داخل الأنبوب، والامتصاص عبور المغذّيات إلى الدم واللمف.',
    },
  ],
})

const genetics = fixed({
  language: 'fr',
  heading: 'Brassage de l’information génétique',
  points: [
    'La molécule d’ADN porte l’information génétique ; un gène est un fragment d’ADN qui détermine un caractère héréditaire.',
    'Un gène peut exister sous plusieurs versions appelées allèles.',
    'La méiose est une succession de deux divisions qui produit, à partir d’une cellule à 2n chromosomes, quatre cellules à n chromosomes.',
    'Le brassage interchromosomique résulte de la séparation indépendante des paires de chromosomes homologues en anaphase I.',
    'Le brassage intrachromosomique résulte des échanges de fragments entre chromatides homologues en prophase I.',
    'La fécondation rétablit le nombre diploïde et réunit au hasard deux gamètes.',
  ],
  questions: [
    {
      ask: 'Définir : gène, allèle, génotype, phénotype.',
      answer:
        'Le gène détermine un caractère ; l’allèle en est une version ; le génotype est l’ensemble des allèles portés ; le phénotype est ce qui s’exprime.',
    },
    {
      ask: 'On croise deux individus hétérozygotes Aa, A étant dominant. Donner les proportions attendues.',
      answer: '1/4 AA, 1/2 Aa, 1/4 aa, soit 3/4 de phénotype A et 1/4 de phénotype a.',
    },
    {
      ask: 'Qu’est-ce qu’un croisement-test ? À quoi sert-il ?',
      answer:
        'C’est le croisement avec un individu homozygote récessif ; il révèle les gamètes, donc le génotype, de l’individu testé.',
    },
    {
      ask: 'Une cellule contient 2n = 6 chromosomes. Combien de types de gamètes le seul brassage interchromosomique peut-il produire ?',
      answer: 'Trois paires se séparent indépendamment : 2 × 2 × 2 = 8 types de gamètes.',
    },
    {
      ask: 'À quelle phase se produit le brassage intrachromosomique ?',
      answer: 'En prophase I, lorsque les chromosomes homologues sont appariés.',
    },
    {
      ask: 'Pourquoi la reproduction sexuée produit-elle des individus tous différents ?',
      answer:
        'Parce que les brassages de la méiose et le hasard de la fécondation créent un nombre immense de combinaisons d’allèles.',
    },
  ],
})

const cells = fixed({
  language: 'fr',
  heading: 'Biologie cellulaire : membrane et échanges',
  points: [
    'La membrane plasmique est une bicouche de phospholipides dans laquelle sont insérées des protéines.',
    'La diffusion simple se fait dans le sens du gradient de concentration, sans dépense d’énergie.',
    'L’osmose est le passage de l’eau du milieu le moins concentré vers le milieu le plus concentré à travers une membrane semi-perméable.',
    'Le transport actif se fait contre le gradient et consomme de l’ATP.',
    'La mitochondrie est le siège de la respiration cellulaire, le chloroplaste celui de la photosynthèse.',
  ],
  questions: [
    {
      ask: 'Que devient un globule rouge placé dans l’eau distillée ? Expliquer.',
      answer: 'L’eau entre par osmose, la cellule gonfle et éclate : c’est l’hémolyse.',
    },
    {
      ask: 'Comparer diffusion simple et diffusion facilitée.',
      answer:
        'Toutes deux suivent le gradient sans énergie ; la diffusion facilitée passe par une protéine et se sature.',
    },
    {
      ask: 'Quel est le rôle de la pompe sodium-potassium ?',
      answer:
        'Elle expulse du sodium et fait entrer du potassium contre leurs gradients, en consommant de l’ATP.',
    },
    {
      ask: 'Citer deux arguments en faveur de l’origine bactérienne des mitochondries.',
      answer: 'Elles possèdent leur propre ADN circulaire et une double membrane.',
    },
    {
      ask: 'Pourquoi parle-t-on de modèle « en mosaïque fluide » ?',
      answer:
        'Parce que protéines et lipides sont assemblés en mosaïque et se déplacent dans le plan de la membrane.',
    },
    {
      ask: 'Dans quel compartiment se déroule la glycolyse ?',
      answer: 'Dans le cytosol.',
    },
  ],
})

export const science = { photosynthesis, digestion, genetics, cells }
