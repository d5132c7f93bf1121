import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const files = ['openapi/public.json', 'openapi/control.json'];
const schemaFiles = ['openapi/replay.schema.json', 'openapi/report.schema.json', 'profiles/schema.json', 'scenarios/schema.json'];

/** Compiles every schema of the contract in Ajv's strict mode for JSON Schema 2020-12, and checks every example against its own. */
export function judgeWithAjv() {
  const remarks = [];
  const remark = (rule, place, message) => remarks.push({ rule, place, message });
  const strict = () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: 'log', allErrors: true, logger: false });
    addFormats.default(ajv);
    ajv.addFormat('binary', true);
    ajv.addFormat('int32', true);
    // What OpenAPI adds to the vocabulary.
    for (const keyword of ['example', 'discriminator']) ajv.addKeyword(keyword);
    return ajv;
  };
  for (const file of schemaFiles) {
    const { $schema: _, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
    attempt(
      () => strict().compile(schema),
      (message) => remark('schema', file, message),
    );
  }
  for (const file of files) {
    const document = JSON.parse(readFileSync(file, 'utf8'));
    const ajv = strict();
    // Refers to shapes from where JSON Schema keeps its own.
    const moved = (value) => JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"contract#/$defs/'));
    ajv.addSchema({ $id: 'contract', $defs: moved(document.components.schemas) });
    let examples = 0;
    const check = (place, schema, values) => {
      attempt(
        () => {
          const validate = ajv.compile(moved(schema));
          for (const [name, value] of values) {
            examples += 1;
            if (!validate(value)) remark('example', `${place} ${name}`, ajv.errorsText(validate.errors));
          }
        },
        (message) => remark('schema', place, message),
      );
    };
    for (const [name, { example, ...schema }] of Object.entries(document.components.schemas))
      check(`${file} ${name}`, schema, example === undefined ? [] : [['example', example]]);
    walk(document, file, (place, value) => {
      if (typeof value.schema === 'object' && !('properties' in value))
        check(
          place,
          value.schema,
          Object.entries(value.examples ?? {}).map(([name, each]) => [name, each.value]),
        );
      if ('example' in value && !('examples' in value) && ('type' in value || '$ref' in value || 'anyOf' in value)) {
        const { example, ...schema } = value;
        check(place, schema, [['example', example]]);
      }
    });
    if (examples < 300) remark('examples', file, `only ${examples} examples were found`);
  }
  return remarks;
}

function walk(value, place, visit) {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(place, value);
  for (const [name, each] of Object.entries(value))
    if (!/^(examples?|default|enum|const)$/.test(name) || place.endsWith('/properties')) walk(each, `${place}/${name}`, visit);
}

function attempt(run, failed) {
  try {
    run();
  } catch (error) {
    failed(error.message);
  }
}
