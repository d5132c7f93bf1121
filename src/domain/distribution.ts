/** Returns the standard normal quantile of a probability between 0 and 1, with an error below 1e-8. */
export function normalQuantile(probability: number): number {
  // Starts with an approximation, then refines it with Newton steps on the distribution function.
  let z = probability < 0.5 ? -tail(probability) : tail(1 - probability);
  for (let round = 0; round < 3; round += 1) z -= (normalCdf(z) - probability) / density(z);
  return z;
}

/** Returns a positive first approximation of the quantile for an upper tail. */
function tail(share: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.max(share, 1e-12)));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** Returns the standard normal distribution function of `z`, computed as a series around zero. */
function normalCdf(z: number): number {
  let term = z;
  let sum = z;
  for (let n = 1; n < 200 && Math.abs(term) > 1e-16; n += 1) sum += term *= (z * z) / (2 * n + 1);
  return 0.5 + sum * density(z);
}

const z95 = 1.6448536269514722;
const z99 = 2.3263478740408408;

/**
 * Returns a value of a distribution with these percentiles: log-normal up to the 95th, and log-normal with the spread of the 95th to the
 * 99th above it. The value is at most four times the 99th percentile.
 * @param fraction from 0 to below 1
 */
export function percentileValue({ p50, p95, p99 }: { p50: number; p95: number; p99: number }, fraction: number): number {
  const z = normalQuantile(Math.min(Math.max(fraction, 1e-9), 1 - 1e-9));
  const log = z <= z95 ? Math.log(p50) + (z / z95) * Math.log(p95 / p50) : Math.log(p95) + ((z - z95) / (z99 - z95)) * Math.log(p99 / p95);
  return Math.min(Math.exp(log), 4 * p99);
}
