import { z } from '@hono/zod-openapi';
import { expected, text } from './messages/forms.js';

/** The ISO 3166-1 alpha-2 country codes. */
const countryCodes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  ) as [string, ...string[]];

export const CountrySchema = z
  .enum(countryCodes, { error: expected('an ISO 3166-1 country code of two capital letters', 'BR') })
  .openapi('Country', {
    description: 'ISO 3166-1 alpha-2 country code, in capital letters.',
    example: 'BR',
  });

export const AddressRequestSchema = z
  .object({
    addressLine1: text(200).meta({ description: 'Street and number.', example: 'Avenida Paulista 1578' }),
    addressLine2: text(200).nullish().meta({ description: 'Floor, unit or similar; may be null.', example: 'Conjunto 41' }),
    city: text(120).meta({ description: 'City, in its local spelling.', example: 'São Paulo' }),
    state: text(120).meta({ description: 'State, province or region, as usual in the country.', example: 'SP' }),
    country: CountrySchema.describe('Country where the address is located.'),
    postalCode: text(20).meta({ description: 'CEP, ZIP or postcode, with or without punctuation.', example: '01310-200' }),
  })
  .openapi('AddressRequest', { description: 'Postal address in a request. No field may be blank.' });

export const AddressSchema = z
  .object({
    addressLine1: z.string().meta({ description: 'Street and number.', example: 'Avenida Paulista 1578' }),
    addressLine2: z.string().nullable().meta({ description: 'Floor, unit or similar; null without one.', example: 'Conjunto 41' }),
    city: z.string().meta({ description: 'City, as given in the request.', example: 'São Paulo' }),
    state: z.string().meta({ description: 'State, province or region, as in the request.', example: 'SP' }),
    country: CountrySchema.describe('Country where the address is located.'),
    postalCode: z.string().meta({ description: 'CEP, ZIP or postcode, as in the request.', example: '01310-200' }),
  })
  .openapi('Address', { description: 'Postal address in responses and events.' });

export type Address = z.infer<typeof AddressSchema>;
