import { z } from '@hono/zod-openapi';

/** The trades that a company can be of. */
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
    'The trade of a company. FINANCIAL_SERVICES puts a Brazilian one into the segment of payment service providers, which owes more documents.',
  example: 'INFORMATION_TECHNOLOGY',
});
