import { z } from '@hono/zod-openapi';

const industries = [
  'ACCOUNTING',
  'ADVERTISING__MARKETING',
  'AEROSPACE__DEFENSE',
  'AGRICULTURE__FORESTRY',
  'AMUSEMENT_AND_RECREATION',
  'AUTOMOTIVE',
  'CONSTRUCTION__CARPENTRY__LANDSCAPING',
  'CUSTOMER_SERVICE_AND_SUPPORT',
  'EDUCATION',
  'ENERGY',
  'ENGINEERING',
  'FINANCIAL_SERVICES',
  'HEALTHCARE__MEDICAL_SERVICES',
  'HOTEL__HOSPITALITY',
  'INFORMATION_TECHNOLOGY',
  'MANUFACTURING',
  'MEDIA__ENTERTAINMENT',
  'MINING_OIL_AND_GAS',
  'NON_PROFIT__NGO__CHARITY',
  'PHARMACEUTICALS',
  'PRINTING__PUBLISHING',
  'REAL_ESTATE',
  'RESTAURANT__FOOD_SERVICE',
  'RETAIL_SALES__RETAIL_TRADE',
  'SECURITY',
  'TRANSPORTATION',
  'TRAVEL',
  'UTILITIES',
  'WHOLESALE',
  'OTHERS',
] as const;

export const IndustrySchema = z.enum(industries).openapi('Industry', {
  description:
    'Industry of a company. A Brazilian company in FINANCIAL_SERVICES is in the segment of payment service providers, which needs more documents.',
  example: 'INFORMATION_TECHNOLOGY',
});
