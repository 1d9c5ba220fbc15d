import '../../../../../src/layouts/page-script.ts'
