import { expect } from 'vitest';
import type { Requirement } from '../contract/public/accounts.js';
import type { TestResponse } from './calls.js';
import type { Harness } from './harness.js';

const address = { addressLine1: 'Rua 1', city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' };

/** Small files whose content determines their type. */
export const files = {
  pdf: new TextEncoder().encode('%PDF-1.4\n%%EOF\n'),
  png: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  jpeg: Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////2Q==', 'base64'),
  gif: Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
};

/** Returns the request body for an account of a company. */
export function companyRequest(owner: Record<string, unknown> = {}, assets: unknown[] = [{ code: 'BRL' }, { code: 'USDC' }]) {
  return {
    assets,
    owner: {
      type: 'COMPANY',
      legalName: 'Rio Claro Exportadora Ltda',
      taxId: { type: 'CNPJ', value: '42.273.345/0001-69' },
      industry: 'WHOLESALE',
      address,
      ...owner,
    },
  };
}

/** Returns the request body for an account of a person. */
export function individualRequest(owner: Record<string, unknown> = {}, assets: unknown[] = [{ code: 'BRL' }]) {
  return {
    assets,
    owner: {
      type: 'INDIVIDUAL',
      firstName: 'Helena',
      lastName: 'Prado',
      taxId: { type: 'CPF', value: '271.828.182-05' },
      address,
      ...owner,
    },
  };
}

/** Returns a complete request body for a beneficial owner. */
export function uboRequest(overrides: Record<string, unknown> = {}) {
  return {
    name: 'Marina Lobo',
    taxId: { type: 'CPF', value: '331.662.479-12' },
    address,
    ownershipPercentage: 60,
    phone: '+55 48 99123-4567',
    email: 'marina.lobo@example.com',
    ...overrides,
  };
}

/** Creates an account with the API. */
export async function createAccount(harness: Harness, world: string, body: unknown): Promise<TestResponse['body']> {
  const created = await harness.api('POST', '/api/accounts', { body }, world);
  expect(created.status).toBe(201);
  return created.body;
}

/** Returns an account in its current state. */
export async function getAccount(harness: Harness, world: string, id: string): Promise<TestResponse['body']> {
  const list = await harness.api('GET', `/api/accounts?filters=id[eq]=${id}`, {}, world);
  return list.body.data[0];
}

/** Returns a multipart body for an upload; a part that is null is omitted. */
export function uploadForm(body: unknown, file: { content: Uint8Array; name: string } | null = { content: files.pdf, name: 'scan.pdf' }) {
  const form = new FormData();
  if (body !== null) form.append('body', typeof body === 'string' ? body : JSON.stringify(body));
  if (file !== null) form.append('file', new Blob([new Uint8Array(file.content)]), file.name);
  return form;
}

/** Uploads a document. */
export function upload(
  harness: Harness,
  world: string,
  body: unknown,
  name = 'scan.pdf',
  content: Uint8Array = files.pdf,
): Promise<TestResponse> {
  return harness.api('POST', '/api/documents', { body: uploadForm(body, { content, name }) }, world);
}

const facts: Readonly<Record<string, unknown>> = {
  country: 'BR',
  issuedAt: '2026-11-02',
  description: 'What the examiner asked for',
  legalForm: 'LIMITED',
  apostilled: true,
};

/** Returns the uploads that satisfy a requirement: one, or both sides of an identity card. */
export function uploadsFor(requirement: Requirement, accountId: string): Record<string, unknown>[] {
  const holder = requirement.uboId === null ? { type: 'ACCOUNT', referenceId: accountId } : { type: 'UBO', referenceId: requirement.uboId };
  const metadata = Object.fromEntries(requirement.requiredMetadata.map((name) => [name, facts[name]]));
  const sides = requirement.documentSubType === null ? ['FRONT_SIDE', 'BACK_SIDE'] : [requirement.documentSubType];
  if (requirement.type === 'DOCUMENT_GROUP')
    return sides.map((documentSubType) => ({ documentType: 'ID_CARD', documentSubType, holder, metadata }));
  const side = requirement.documentSubType === null ? {} : { documentSubType: requirement.documentSubType };
  return [{ documentType: requirement.documentType, ...side, holder, metadata }];
}

/** Uploads all requested documents of an account. */
export async function uploadAll(harness: Harness, world: string, accountId: string): Promise<void> {
  const { requirements } = await getAccount(harness, world, accountId);
  for (const requirement of [...requirements.currentlyDue, ...requirements.errors] as Requirement[]) {
    if (requirement.type === 'INFORMATION') continue;
    for (const body of uploadsFor(requirement, accountId)) expect((await upload(harness, world, body)).status).toBe(204);
  }
}

/** Creates an account, with a beneficial owner if it belongs to a company, and uploads all its documents. */
export async function createReady(
  harness: Harness,
  world: string,
  body: ReturnType<typeof companyRequest | typeof individualRequest>,
): Promise<string> {
  const { id } = await createAccount(harness, world, body);
  if (body.owner.type === 'COMPANY') await harness.api('POST', `/api/accounts/${id}/ubos`, { body: uboRequest() }, world);
  await uploadAll(harness, world, id);
  return id;
}
