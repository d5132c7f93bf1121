<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

foreach (['Payouts', 'UsesWorld', 'World'] as $name) {
    require_once __DIR__ . "/$name.php";
}

final class PayoutsTest extends TestCase
{
    use UsesWorld;

    private static function start(World $world): Payouts
    {
        return new Payouts($world->url, $world->clientId, $world->clientSecret);
    }

    private static function pay(World $world, Payouts $app, string $amount): string
    {
        return $app->pay($world->list('beneficiaries', 'status[eq]=APPROVED')[0], $amount);
    }

    public function testPaysOutAndLearnsOfItByWebhook(): void
    {
        $world = $this->world();
        $app = self::start($world);
        $app->call('POST', '/api/subscriptions', ['url' => $world->inboxUrl('payouts'), 'includeAll' => true]);

        $id = self::pay($world, $app, '150.00');
        $world->runTo($id, 'COMPLETED');

        $headers = $world->waitForWebhook('payouts', 'OPERATION_COMPLETED', $id)['headers'];
        $this->assertTrue($app->isGenuine($headers['x-message-id'], $headers['x-message-signature']));
        $this->assertSame([], $world->findings()); // The sandbox has found nothing wrong with the application.
    }

    public function testPaysOnceAlthoughTheResponseWasLost(): void
    {
        $world = $this->world();
        $lost = ['phase' => 'after_commit', 'times' => 1, 'effect' => ['connectionReset' => true]];
        $world->fault(['on' => 'REQUEST', 'when' => ['operationId' => 'createWithdrawal']] + $lost);
        $id = self::pay($world, self::start($world), '75.00');
        $this->assertSame([$id], array_column($world->list('operations', 'sourceAmount.value[eq]=75.00'), 'id'));
    }

    public function testIsRefusedForAnAmountAsANumber(): void
    {
        $world = $this->world(['scenario' => 'manual'], negative: true);
        $this->expectException(DomainException::class);
        $this->expectExceptionCode(400);
        self::start($world)->call('POST', '/api/quotes', ['sourceAsset' => 'BRL', 'targetAsset' => 'BRL', 'sourceAmount' => 150.01]);
    }
}
