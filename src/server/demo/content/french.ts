import { fixed } from './topic.ts'

const conjugation = fixed({
  language: 'fr',
  heading: 'Le présent et le passé composé',
  points: [
    'Le présent exprime une action qui se déroule au moment où l’on parle, ou une habitude.',
    'Les verbes du premier groupe se terminent au présent par -e, -es, -e, -ons, -ez, -ent.',
    'Le passé composé se forme avec l’auxiliaire être ou avoir au présent, suivi du participe passé.',
    'Avec être, le participe passé s’accorde en genre et en nombre avec le sujet : « Elles sont parties. »',
    'Avec avoir, il ne s’accorde pas avec le sujet : « Elles ont mangé. »',
  ],
  questions: [
    {
      ask: 'Conjugue au présent : nous (manger), ils (jouer), tu (finir).',
      answer: 'Nous mangeons, ils jouent, tu finis.',
    },
    { ask: 'Mets au passé composé : « Je mange une pomme. »', answer: 'J’ai mangé une pomme.' },
    {
      ask: 'Mets au passé composé : « Salma va à l’école. »',
      answer: 'Salma est allée à l’école.',
    },
    { ask: 'Corrige : « Les filles sont parti hier. »', answer: 'Les filles sont parties hier.' },
    {
      ask: 'Complète : « Nous … (avoir) un chien et il … (être) gentil. »',
      answer: 'Nous avons un chien et il est gentil.',
    },
    {
      ask: 'Écris une phrase au présent et une phrase au passé composé avec le verbe « choisir ».',
      answer: 'Par exemple : Je choisis un livre. Hier, j’ai choisi un livre.',
    },
  ],
})

const grammar = fixed({
  language: 'fr',
  heading: 'Les fonctions dans la phrase',
  points: [
    'Le sujet commande l’accord du verbe ; on le trouve en posant la question « qui est-ce qui… ? ».',
    'Le complément d’objet direct se construit sans préposition : « Il lit un roman. »',
    'Le complément d’objet indirect est introduit par une préposition : « Elle parle à son frère. »',
    'Le complément circonstanciel précise le lieu, le temps, la manière ou la cause ; on peut souvent le déplacer.',
    'L’attribut du sujet suit un verbe d’état comme être, sembler, devenir, et s’accorde avec le sujet.',
  ],
  questions: [
    {
      ask: 'Donne la fonction du groupe placé entre tirets : « Nous visitons – le musée du Bardo –. »',
      answer: 'Complément d’objet direct du verbe « visitons ».',
    },
    {
      ask: 'Relève le complément de lieu : « Chaque été, mes cousins nagent à Kélibia. »',
      answer: 'à Kélibia.',
    },
    {
      ask: 'Remplace le complément par un pronom : « Yassine écrit à sa grand-mère. »',
      answer: 'Yassine lui écrit.',
    },
    {
      ask: 'Transforme à la voix passive : « Le jardinier arrose les fleurs. »',
      answer: 'Les fleurs sont arrosées par le jardinier.',
    },
    {
      ask: 'Quelle est la nature et la fonction de « heureuse » dans « Elle semble heureuse » ?',
      answer: 'Adjectif qualificatif, attribut du sujet « elle ».',
    },
    {
      ask: 'Écris une phrase contenant un complément de cause.',
      answer: 'Par exemple : Il reste à la maison parce qu’il est malade.',
    },
  ],
})

const argument = fixed({
  language: 'fr',
  heading: 'Construire un texte argumentatif',
  points: [
    'Un texte argumentatif défend une thèse : l’opinion de celui qui parle sur une question discutée.',
    'Chaque argument est soutenu par un exemple précis, tiré de l’expérience, de l’actualité ou d’une lecture.',
    'La concession accorde un point à l’adversaire pour mieux le dépasser : « certes… mais… ».',
    'Les connecteurs marquent l’ordre (d’abord, ensuite), la cause (car), la conséquence (donc) et l’opposition (cependant).',
    'L’introduction amène le sujet, pose le problème et annonce le plan ; la conclusion répond et ouvre.',
  ],
  questions: [
    {
      ask: 'Formulez la thèse adverse de : « Les écrans isolent les jeunes. »',
      answer: 'Par exemple : les écrans rapprochent les jeunes et leur ouvrent le monde.',
    },
    {
      ask: 'Trouvez un argument et un exemple pour défendre la lecture.',
      answer:
        'Par exemple : lire enrichit le vocabulaire ; ainsi, un élève qui lit un roman par mois écrit plus aisément.',
    },
    {
      ask: 'Reliez par un connecteur d’opposition : « Il a révisé. Il a échoué. »',
      answer: 'Il a révisé ; cependant, il a échoué.',
    },
    {
      ask: 'Rédigez une phrase de concession sur le travail en groupe.',
      answer: 'Certes, le travail en groupe prend du temps, mais il apprend à écouter.',
    },
    {
      ask: 'Quels sont les trois moments d’une introduction ?',
      answer: 'Amener le sujet, poser le problème, annoncer le plan.',
    },
    {
      ask: 'Remplacez « dire » par un verbe plus précis : « Il dit que c’est faux, preuves à l’appui. »',
      answer: 'Il démontre que c’est faux, preuves à l’appui.',
    },
  ],
})

export const french = { conjugation, grammar, argument }
