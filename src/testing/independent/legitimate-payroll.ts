import { connect, createServer, type Socket } from 'node:net';
import { inLength } from '../long-run.js';
import type { Integrator, Place } from './integrator.js';
import { hire, times, together, withEndpoint, withServer, type Behaviour } from './legitimate.js';
import { Payroll, languages as allLanguages, type Language, type Payment } from './payroll.js';

interface ProgramBehaviour extends Omit<Behaviour, 'play'> {
  /** Default: all. */
  readonly languages?: readonly Language[];
  readonly play: (place: Place, payroll: Payroll, client: Integrator) => Promise<unknown>;
}

const paymentsOf = (amounts: readonly string[], more: (index: number) => Partial<Payment> = () => ({}), prefix = 'payment'): Payment[] =>
  amounts.map((amount, index) => ({ name: `${prefix}-${index}`, amount, ...more(index) }));
const purposes = (index: number) => ({ purpose: `Invoice ${1001 + index}` });
/** Runs a proxy that closes idle connections after 30 ms, and loses the first response of each fourth connection. */
const withProxy = <T>(place: Place, use: (url: string) => Promise<T>) =>
  withServer(() => {
    const sockets = new Set<Socket>();
    let count = 0;
    const server = createServer((client) => {
      count += 1;
      const loses = count % 4 === 0;
      const upstream = connect(Number(new URL(place.url).port), new URL(place.url).hostname);
      let timer: NodeJS.Timeout | undefined;
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      client.pipe(upstream);
      upstream.on('data', (chunk: Buffer) => {
        clearTimeout(timer);
        if (loses) return void client.resetAndDestroy();
        client.write(chunk);
        timer = setTimeout(() => client.end(), 30);
      });
      client.on('close', () => upstream.end());
      upstream.on('close', () => client.destroy());
    });
    return { server, end: () => sockets.forEach((socket) => socket.destroy()) };
  }, use);

const monthly = ['3200.00', '3200.00', '4150.50', '3200.00'];
const mixed = ['812.40', '95.00', '812.40', '1310.75', '95.00', '240.30'];

/** Behaviours that the payroll program has in each language. */
const programBehaviours: readonly ProgramBehaviour[] = [
  {
    name: 'pays equal salaries in three months',
    play: async (place, payroll, client) => {
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi']);
      client.end();
      await times(3, async (month) => {
        const payments = paymentsOf(monthly, (index) => ({ kind: 'withdrawal', payee: staff[index]! }), `month-${month}`);
        await payroll.run({ payments, reads: false });
        await place.advance();
        await payroll.run({ payments });
        await place.control('POST', '/clock/advance', { by: '30d' });
      });
    },
  },
  {
    name: 'pays two equal invoices of two workers, with purposes',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(['480.00', '480.00'], purposes), workers: 2 }),
  },
  {
    name: 'pays two equal invoices of two workers, without purposes',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(['480.00', '480.00']), workers: 2 }),
  },
  {
    name: 'pays each amount twice with two purposes',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({
        payments: paymentsOf(['310.00', '310.00', '455.20', '455.20', '99.90', '99.90', '78.00', '78.00'], purposes),
        workers: 4,
      }),
  },
  {
    name: 'reads the outcomes while its endpoint responds with 503 to everything',
    isRunning: true,
    play: async (place, payroll, client) => {
      place.listen(() => 503);
      await client.subscribe();
      await payroll.run({ payments: paymentsOf(mixed), workers: 2 });
    },
  },
  {
    name: 'reads the outcomes while no server listens at its endpoint',
    isRunning: true,
    play: async (_place, payroll, client) => {
      const gone = await withEndpoint((url) => Promise.resolve(url));
      await client.subscribe(`${gone}/hooks`, { includeAll: true, allowRetry: true });
      await payroll.run({ payments: paymentsOf(mixed), workers: 2 });
    },
  },
  {
    name: 'repeats lost payments with their keys',
    isRunning: true,
    play: async (place, payroll) => {
      await place.strike('createWithdrawal', { connectionReset: true }, { phase: 'after_commit', times: 3 });
      await payroll.run({ payments: paymentsOf(mixed, () => ({ kind: 'withdrawal' })), workers: 3 });
    },
  },
  {
    name: 'finds lost payments in the list of deliveries, and reads them',
    isRunning: true,
    play: async (place, payroll, client) => {
      const { body } = await client.subscribe();
      await place.strike('createTransfer', { connectionReset: true }, { phase: 'after_commit', times: 2 });
      await payroll.run({ payments: paymentsOf(mixed), recovery: 'deliveries', subscription: body.id });
    },
  },
  {
    name: 'is killed after it has stored a payment',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(mixed), killed: { payment: 'payment-2', moment: 'stored' } }),
  },
  {
    name: 'is killed after it has sent a payment, and repeats it with its key',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf(mixed, () => ({ kind: 'withdrawal' })), killed: { payment: 'payment-2', moment: 'sent' } }),
  },
  {
    name: 'is killed before it has stored a response, and repeats the payment with its key',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf(mixed), connection: 'close', killed: { payment: 'payment-2', moment: 'received' } }),
  },
  {
    name: 'closes the connection after each request',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(mixed), connection: 'close', workers: 2 }),
  },
  {
    name: 'speaks HTTP/1.0',
    isRunning: true,
    languages: ['python', 'php'],
    play: async (place, payroll) => {
      await place.lose('createTransfer');
      await payroll.run({ payments: paymentsOf(mixed), connection: 'http10' });
    },
  },
  {
    name: 'works behind a proxy that closes connections and loses responses',
    isRunning: true,
    play: (place, payroll) => withProxy(place, (url) => payroll.run({ payments: paymentsOf(mixed), workers: 2, url })),
  },
  {
    name: 'closes each connection behind a proxy that loses responses',
    isRunning: true,
    play: (place, payroll) =>
      withProxy(place, (url) => payroll.run({ payments: paymentsOf(mixed, () => ({ kind: 'withdrawal' })), connection: 'close', url })),
  },
  {
    name: 'is one process for each payment, with a token for each process',
    isRunning: true,
    play: (_place, payroll) => times(6, (index) => payroll.run({ payments: paymentsOf([mixed[index]!], () => ({}), `run-${index}`) })),
  },
  {
    name: 'is one process for each payment at the same time, with a token for each process',
    isRunning: true,
    play: (_place, payroll) => together(5, (index) => payroll.run({ payments: paymentsOf([`6${index}0.40`], () => ({}), `run-${index}`) })),
  },
  {
    name: 'is one process for each payment, and all share one token',
    isRunning: true,
    play: (_place, payroll) =>
      times(4, (index) => payroll.run({ payments: paymentsOf([`6${index}0.40`], () => ({}), `run-${index}`), sharesToken: true })),
  },
  {
    name: 'makes idempotency keys in five formats',
    isRunning: true,
    play: async (place, payroll) => {
      const formats = ['v4', 'upper', 'v5', 'v7', 'v8'];
      const amounts = Array.from({ length: 15 }, (_, index) => `${120 + index}.25`);
      await place.strike('createTransfer', { status: 503 }, { times: 2 });
      await payroll.run({ payments: paymentsOf(amounts, (index) => ({ keys: formats[index % 5]! })) });
    },
  },
  {
    name: 'makes all idempotency keys from the time and chance',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({
        payments: paymentsOf(
          Array.from({ length: 12 }, (_, index) => `${120 + index}.25`),
          () => ({ keys: 'v7' }),
        ),
      }),
  },
  {
    name: 'pays salaries without cents',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf(['3000.00', '4500.00', '3800.00', '5200.00', '7000.00', '2900.00']), workers: 2 }),
  },
  {
    name: 'pays salaries without cents, written without decimals',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(['3000', '4500', '3800', '5200', '7000', '2900']), workers: 2 }),
  },
  {
    name: 'pays salaries without cents, written without decimals, to payees',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf(['3000', '4500', '3800', '5200', '7000', '2900'], () => ({ kind: 'withdrawal' })) }),
  },
  {
    name: 'pays loans of whole thousands, written without decimals',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(['150000', '98000', '210000', '75000', '120000', '64000']) }),
  },
  {
    name: 'sends all payments, and reads all ends afterwards',
    play: async (place, payroll) => {
      const payments = paymentsOf(mixed, () => ({ kind: 'withdrawal' }));
      await payroll.run({ payments, reads: false });
      await place.advance();
      await payroll.run({ payments });
    },
  },
  {
    name: 'is one process for each payment, equal ones with purposes, and reads all ends at night',
    play: async (place, payroll) => {
      const payments = paymentsOf(['50.00', '70.00', '50.00', '70.00', '90.00', '90.00'], purposes);
      await times(6, (index) => payroll.run({ payments: [payments[index]!], reads: false }));
      await place.advance('50m');
      await payroll.run({ payments });
    },
  },
  {
    name: 'runs the whole batch again after its memory is restored from a backup, with keys derived from the invoices',
    play: async (place, payroll) => {
      const payments = paymentsOf(mixed, (index) => ({ keys: 'v5', ...purposes(index) }));
      await payroll.run({ payments, reads: false });
      await place.advance();
      await payroll.run({ payments });
      payroll.forget();
      await payroll.run({ payments });
    },
  },
  {
    name: 'has several workers in a world whose responses have new fields',
    scenario: 'tomorrow',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(mixed), workers: 3 }),
  },
  {
    name: 'has several workers that see payments in progress while others make equal ones',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(mixed, () => ({ kind: 'withdrawal' })), workers: 3 }),
  },
  {
    name: 'pays in a burst beyond the rate limit',
    scenario: 'rate-limited',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf(Array.from({ length: 30 }, (_, index) => `${200 + index}.30`)), workers: 10 }),
  },
  {
    name: 'reads again what is too new to be found',
    scenario: 'eventual-consistency',
    isRunning: true,
    play: (_place, payroll) => payroll.run({ payments: paymentsOf(mixed, () => ({ kind: 'withdrawal' })), workers: 3 }),
  },
  {
    name: 'works over a flaky network',
    scenario: 'flaky-network',
    isRunning: true,
    play: (_place, payroll) =>
      payroll.run({ payments: paymentsOf([...mixed, ...mixed], () => ({ kind: 'withdrawal' })), workers: 3, connection: 'close' }),
  },
];

/** The behaviours, in one language in the short form and in all in the long one. */
export const payrollClients: readonly (Behaviour & { readonly language: Language })[] = programBehaviours.flatMap(
  ({ languages = allLanguages, play, ...behaviour }, index) =>
    inLength([languages[index % languages.length]!], languages).map((language) => ({
      ...behaviour,
      language,
      play: async (place: Place, client: Integrator) => {
        const payroll = new Payroll(place, language);
        try {
          await play(place, payroll, client);
        } finally {
          payroll.end();
        }
      },
    })),
);
